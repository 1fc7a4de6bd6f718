import type { Db } from "#app/infra/database/db.server.ts";
import { inSeconds, MINUTE, YEAR } from "#app/infra/durations.ts";
import { awayResponse } from "../pictures/response.server.ts";
import { pictureStore } from "../pictures/store.server.ts";
import { draw } from "./drawing.server.ts";
import { type Shown, shownNow, versionOf } from "./shown.server.ts";

/**
 * The link picture of a page, as it is now: JPEG, 1200 x 630 px. Only the current version has an address that may be
 * kept for long; any other version is answered with the current picture for a minute, so that nobody can have old or
 * invented ones drawn. Status 503 while the store is not available. Undefined if the page has no link picture.
 */
export async function linkPictureResponse(on: Db, page: string, asked: string | null): Promise<Response | undefined> {
  const shown = await shownNow(on, page);
  if (!shown) return;
  const version = versionOf(shown);
  try {
    const bytes = await linkPicture(page, version, shown);
    const cached = asked === version ? `max-age=${inSeconds(YEAR)}, immutable` : `max-age=${inSeconds(MINUTE)}`;
    return new Response(bytes, {
      headers: {
        "Content-Type": "image/jpeg",
        "Content-Length": String(bytes.length),
        "Cache-Control": `public, ${cached}`,
      },
    });
  } catch (error) {
    return awayResponse(error);
  }
}

const running = new Map<string, Promise<Buffer<ArrayBuffer>>>();

/** Simultaneous requests share one read and one drawing. */
function linkPicture(page: string, version: string, shown: Shown): Promise<Buffer<ArrayBuffer>> {
  const key = `${page} ${version}`;
  const found = running.get(key) ?? findOrDraw(page, version, shown).finally(() => running.delete(key));
  running.set(key, found);
  return found;
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** A page has one file in the store, which begins with its version: a new picture takes the old one's place. */
async function findOrDraw(page: string, version: string, shown: Shown): Promise<Buffer<ArrayBuffer>> {
  const name = `links/${page}`;
  const begin = Buffer.from(version);
  const kept = await pictureStore().read(name);
  if (kept?.subarray(0, begin.length + JPEG.length).equals(Buffer.concat([begin, JPEG])))
    return kept.subarray(begin.length);
  const drawn = Buffer.from(await draw(shown));
  await pictureStore().write(name, Buffer.concat([begin, drawn]));
  return drawn;
}
