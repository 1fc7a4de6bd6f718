import { createHash } from "node:crypto";
import { StoreAway } from "#app/infra/object-store/bucket.server.ts";
import { hashOfOriginal, pictureStore } from "./store.server.ts";

/** What lies under an original's name, or what the store says for it, is something else. */
export class DamagedPicture extends StoreAway {}

/** The name in the store. */
const nameOf = (hash: string) => `${hash}.jpg`;

/** What an original is named by: what its URL answers therefore never changes. */
export function contentHash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 20);
}

/** Keeps an original under the hash of its bytes, which is returned. Safe to repeat. */
export async function storePicture(bytes: Buffer): Promise<string> {
  const hash = contentHash(bytes);
  await pictureStore().write(nameOf(hash), bytes); // nothing is read: another instance may be writing the same
  return hash;
}

/** An original's bytes; undefined when there is none of this hash. Throws DamagedPicture where they are not what their name says. */
export async function originalOf(hash: string): Promise<Buffer | undefined> {
  const bytes = await pictureStore().read(nameOf(hash));
  if (bytes && contentHash(bytes) !== hash) throw new DamagedPicture(`The picture ${hash} is not what its name says`);
  return bytes;
}

/** The same of many, where one that is damaged counts as missing. */
export async function wholeOriginalOf(hash: string): Promise<Buffer | undefined> {
  return originalOf(hash).catch((error) => {
    if (error instanceof DamagedPicture) return undefined;
    throw error;
  });
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
