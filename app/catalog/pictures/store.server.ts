import { env } from "#app/infra/env.server.ts";
import { StoreAway } from "#app/infra/object-store/bucket.server.ts";
import { removeUnfinishedFiles } from "#app/infra/object-store/folder.server.ts";
import type { ObjectStore } from "#app/infra/object-store/object-store.ts";
import { openStore } from "#app/infra/object-store/open.server.ts";
import { placeText } from "#app/infra/object-store/place.ts";

let opened: ObjectStore | undefined;

/** Where PICTURES_URL says: the originals as HASH.jpg, their renderings as HASH/WIDTH.FORMAT, those of returns as returns/ID.jpg. */
export function pictureStore(): ObjectStore {
  opened ??= openStore(env.pictures);
  return opened;
}

/** Throws StoreAway unless the store gives back what it was given: what says 200 to everything has kept nothing. */
export async function keepPicture(name: string, bytes: Buffer): Promise<void> {
  const store = pictureStore();
  await store.write(name, bytes);
  const kept = await store.read(name);
  if (!kept?.equals(bytes)) throw new StoreAway(`PICTURES_URL: ${placeText(env.pictures)} has not kept ${name}`);
}

const RENDERING = /^[0-9a-f]{20}\/[1-9]\d*\.(?:avif|webp|jpg)$/;
const ORIGINAL = /^([0-9a-f]{20})\.jpg$/;
/** What shoppers have sent with a return: /images/ shows nothing of this name. */
const PRIVATE = /^returns\/[0-9a-f-]{36}\.jpg$/;

/** undefined for any other name. */
export function hashOfOriginal(name: string): string | undefined {
  return ORIGINAL.exec(name)?.[1];
}

export function isPicture(name: string): boolean {
  return ORIGINAL.test(name) || RENDERING.test(name) || isPrivatePicture(name);
}

export function isPrivatePicture(name: string): boolean {
  return PRIVATE.test(name);
}

/** Takes files out of the store, one after the other. Safe to repeat. */
export async function removePictures(names: readonly string[]): Promise<void> {
  for (const name of names) await pictureStore().remove(name);
}

/** The names of what shoppers have sent with returns. */
export async function listPrivatePictures(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of pictureStore().list("all")) if (isPrivatePicture(name)) names.push(name);
  return names;
}

/** Throws where the place cannot be used as it is set; a warning where it does not answer: then pages are shown without their pictures. */
export async function pictureStoreWarning(): Promise<string | undefined> {
  try {
    for await (const _ of pictureStore().list("top")) break;
  } catch (error) {
    if (error instanceof StoreAway) return `${error.message}: pages are shown without pictures until it does`;
    throw error;
  }
}

/** Removes what processes that are gone had begun to write; not from a folder that other machines may be writing to. */
export async function removeUnfinishedPictures(): Promise<void> {
  if (!env.PICTURES_URL && "folder" in env.pictures) await removeUnfinishedFiles(env.pictures.folder, isPicture);
}
