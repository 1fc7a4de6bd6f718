import { createHash } from "node:crypto";
import { StoreAway } from "#app/infra/object-store/bucket.server.ts";
import { hashOfOriginal, pictureStore } from "./store.server.ts";

/**
 * The stored bytes do not match the hash in the original's name, for example because the store returned an error page.
 */
export class DamagedPicture extends StoreAway {}

/** The name of an original in the store. */
const nameOf = (hash: string) => `${hash}.jpg`;

/** The hash that names an original. The content behind a picture's URL therefore never changes. */
export function contentHash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 20);
}

/** Stores an original under the hash of its bytes and returns the hash. Safe to repeat. */
export async function storePicture(bytes: Buffer): Promise<string> {
  const hash = contentHash(bytes);
  await pictureStore().write(nameOf(hash), bytes); // not checked first: another instance may be writing the same file
  return hash;
}

/**
 * An original's bytes; undefined if there is none with this hash. Throws DamagedPicture if the bytes do not match the
 * hash.
 */
export async function originalOf(hash: string): Promise<Buffer | undefined> {
  const bytes = await pictureStore().read(nameOf(hash));
  if (bytes && contentHash(bytes) !== hash) throw new DamagedPicture(`The picture ${hash} is not what its name says`);
  return bytes;
}

/** Like `originalOf`, but a damaged original counts as missing. */
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
