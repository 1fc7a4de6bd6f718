import type { ObjectStore } from "#app/infra/object-store/object-store.ts";
import { contentHash } from "./originals.server.ts";
import { hashOfOriginal, isPicture } from "./store.server.ts";

const AT_ONCE = 8;

/**
 * The number of pictures copied, the number that existed already, and the names of originals whose content does not
 * match their hash.
 */
export type Copied = { copied: number; there: number; damaged: string[] };

/**
 * Copies all pictures that are missing in `to`. `from` is not changed, so shops can use either store meanwhile. Safe to
 * repeat: pictures copied before a failure count as existing. `progress` gets the total number first, then the number
 * done.
 */
export async function copyPictures(
  from: ObjectStore,
  to: ObjectStore,
  progress: (all: number) => (done: number) => void,
): Promise<Copied> {
  const there = new Set(await picturesIn(to));
  const names = await picturesIn(from);
  const wanted = names.filter((name) => !there.has(name));
  const result: Copied = { copied: 0, there: names.length - wanted.length, damaged: [] };
  const onProgress = progress(wanted.length);
  const left = wanted.values();
  const copyInTurn = async () => {
    for (const name of left) {
      const bytes = await from.read(name);
      const hash = hashOfOriginal(name);
      if (!bytes || (hash && contentHash(bytes) !== hash)) result.damaged.push(name);
      else {
        await to.write(name, bytes);
        result.copied++;
      }
      onProgress(result.copied + result.damaged.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyInTurn));
  return result;
}

/** Originals, which have the shortest names, come first: all other missing pictures can be made from them. */
async function picturesIn(store: ObjectStore): Promise<string[]> {
  const names: string[] = [];
  for await (const name of store.list("all")) if (isPicture(name)) names.push(name);
  return names.sort((a, b) => a.length - b.length);
}
