import type { ObjectStore } from "#app/infra/object-store/object-store.ts";
import { contentHash } from "./originals.server.ts";
import { hashOfOriginal, isPicture } from "./store.server.ts";

const AT_ONCE = 8;

/** How many were copied, how many were there before, and the names of originals that are not what their name says. */
export type Copied = { copied: number; there: number; damaged: string[] };

/**
 * Copies all pictures that `to` lacks, and changes nothing in `from`: shops go on with either of them. Safe to repeat; what was copied before it
 * failed counts as there. `progress` is told how many of how many are done.
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

/** Originals, whose names are the shortest, come first: from them whatever else is missing can be made. */
async function picturesIn(store: ObjectStore): Promise<string[]> {
  const names: string[] = [];
  for await (const name of store.list("all")) if (isPicture(name)) names.push(name);
  return names.sort((a, b) => a.length - b.length);
}
