import { createHash } from "node:crypto";
import { hashOfOriginal, pictureStore } from "./store.server.ts";

/** The name in the store. */
const nameOf = (hash: string) => `${hash}.jpg`;

/** What an original is named by: what its URL answers therefore never changes. */
export function contentHash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 20);
}

/** Keeps an original under the hash of its bytes, which is returned. Safe to repeat. */
export async function storePicture(bytes: Buffer): Promise<string> {
  const hash = contentHash(bytes);
  const store = pictureStore();
  if (!(await store.has(nameOf(hash)))) await store.write(nameOf(hash), bytes);
  return hash;
}

/** An original's bytes; undefined when there is none of this hash. */
export async function originalOf(hash: string): Promise<Buffer | undefined> {
  return pictureStore().read(nameOf(hash));
}

/** The hashes of all originals. */
export async function listOriginals(): Promise<string[]> {
  const hashes: string[] = [];
  for await (const name of pictureStore().list("top")) {
    const hash = hashOfOriginal(name);
    if (hash) hashes.push(hash);
  }
  return hashes;
}
