import type { Db } from "#app/infra/database/db.server.ts";
import { inSeconds, MINUTE, YEAR } from "#app/infra/durations.ts";
import { namesTag } from "#app/infra/http/server/conditional.ts";
import { picture } from "../pictures/renderings.server.ts";
import { storeErrorResponse } from "../pictures/response.server.ts";
import { pictureStore } from "../pictures/store.server.ts";
import { draw } from "./drawing.server.ts";
import { type Shown, shownNow, versionOf } from "./shown.server.ts";

/**
 * The link picture of a page, as it is now: JPEG, 1200 x 630 px. `request` may name a version (`?v=`) and the tags of
 * copies. Only the current version has an address that may be kept for long; any other version is answered with the
 * current picture for a minute, so that nobody can have old or invented ones drawn. Status 503 while the store is not
 * available. Undefined if the page has no link picture.
 */
export async function linkPictureResponse(on: Db, page: string, request: Request): Promise<Response | undefined> {
  const shown = await shownNow(on, page);
  if (!shown) return;
  const version = versionOf(shown);
  const isCurrent = new URL(request.url).searchParams.get("v") === version;
  const forLong = isCurrent ? `${inSeconds(YEAR)}, immutable` : inSeconds(MINUTE);
  const kept = { ETag: `"${version}"`, "Cache-Control": `public, max-age=${forLong}` };
  if (namesTag(request.headers.get("If-None-Match") ?? undefined, kept.ETag))
    return new Response(null, { status: 304, headers: kept });
  try {
    const { bytes, isWhole } = await linkPicture(page, version, shown);
    const headers = { "Content-Type": "image/jpeg", "Content-Length": String(bytes.length) };
    const lasting = isWhole ? kept : { "Cache-Control": `public, max-age=${inSeconds(MINUTE)}` };
    return new Response(bytes, { headers: { ...headers, ...lasting } });
  } catch (error) {
    return storeErrorResponse(error);
  }
}

/** `isWhole` is false for a picture without the photograph that belongs to it. */
type Found = { bytes: Buffer<ArrayBuffer>; isWhole: boolean };

const running = new Map<string, Promise<Found>>();

/** Simultaneous requests share one read and one drawing. */
function linkPicture(page: string, version: string, shown: Shown): Promise<Found> {
  const key = `${page} ${version}`;
  const found = running.get(key) ?? findOrDraw(page, version, shown).finally(() => running.delete(key));
  running.set(key, found);
  return found;
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * A page has one file in the store, which begins with its version: a new picture takes the old one's place. One whose
 * photograph the store lacks is not kept, since the photograph may come back.
 */
async function findOrDraw(page: string, version: string, shown: Shown): Promise<Found> {
  const name = `links/${page}`;
  const begin = Buffer.from(version);
  const kept = await pictureStore().read(name);
  if (kept?.subarray(0, begin.length + JPEG.length).equals(Buffer.concat([begin, JPEG])))
    return { bytes: kept.subarray(begin.length), isWhole: true };
  const photograph = shown.picture === undefined ? undefined : await picture(shown.picture, 800, "jpg");
  const bytes = Buffer.from(await draw(shown, photograph));
  const isWhole = shown.picture === undefined || photograph !== undefined;
  if (isWhole) await pictureStore().write(name, Buffer.concat([begin, bytes]));
  return { bytes, isWhole };
}
