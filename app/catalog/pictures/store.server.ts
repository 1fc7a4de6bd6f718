import { env } from "#app/infra/env.server.ts";
import { StoreAway } from "#app/infra/object-store/bucket.server.ts";
import { removeUnfinishedFiles } from "#app/infra/object-store/folder.server.ts";
import { locationText } from "#app/infra/object-store/location.ts";
import type { ObjectStore } from "#app/infra/object-store/object-store.ts";
import { openStore } from "#app/infra/object-store/open.server.ts";

let opened: ObjectStore | undefined;

/**
 * The store at PICTURES_URL: originals as HASH.jpg, their renderings as HASH/WIDTH.FORMAT, photographs of returns as
 * returns/ID.jpg, those of packed parcels as parcels/ID.jpg, link pictures as links/PAGE.
 */
export function pictureStore(): ObjectStore {
  opened ??= openStore(env.pictures);
  return opened;
}

/**
 * Stores a picture and reads it back. Throws StoreAway if the bytes differ: a server may answer 200 without storing
 * anything.
 */
export async function keepPicture(name: string, bytes: Buffer): Promise<void> {
  const store = pictureStore();
  await store.write(name, bytes);
  const kept = await store.read(name);
  if (!kept?.equals(bytes)) throw new StoreAway(`PICTURES_URL: ${locationText(env.pictures)} has not kept ${name}`);
}

const RENDERING = /^[0-9a-f]{20}\/[1-9]\d*\.(?:avif|webp|jpg)$/;
const ORIGINAL = /^([0-9a-f]{20})\.jpg$/;
/** Photographs that shoppers have sent with a return, and those of parcels. They are never served under /images/. */
const PRIVATE = /^(?:returns|parcels)\/[0-9a-f-]{36}\.jpg$/;

/** Pictures of links, which are drawn again wherever they are missing. */
const LINK = /^links\//;

/** The hash in the name of an original. Undefined for any other name. */
export function hashOfOriginal(name: string): string | undefined {
  return ORIGINAL.exec(name)?.[1];
}

export function isPicture(name: string): boolean {
  return ORIGINAL.test(name) || RENDERING.test(name) || isPrivatePicture(name);
}

export function isPrivatePicture(name: string): boolean {
  return PRIVATE.test(name);
}

/** Removes files from the store, one after the other. Safe to repeat. */
export async function removePictures(names: readonly string[]): Promise<void> {
  for (const name of names) await pictureStore().remove(name);
}

/** The names of all photographs of returns and parcels. */
export async function listPrivatePictures(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of pictureStore().list("all")) if (isPrivatePicture(name)) names.push(name);
  return names;
}

/**
 * Throws if the store cannot be used with these settings. Returns a warning if it does not respond: pages are then
 * shown without pictures.
 */
export async function pictureStoreWarning(): Promise<string | undefined> {
  try {
    for await (const _ of pictureStore().list("top")) break;
  } catch (error) {
    if (error instanceof StoreAway) return `${error.message}: pages are shown without pictures until it does`;
    throw error;
  }
}

/**
 * Removes files that earlier processes left unfinished. Not from a folder set by PICTURES_URL, where other machines may
 * be writing.
 */
export async function removeUnfinishedPictures(): Promise<void> {
  if (!env.PICTURES_URL && "folder" in env.pictures)
    await removeUnfinishedFiles(env.pictures.folder, (name) => isPicture(name) || LINK.test(name));
}
