import { env } from "#app/infra/env.server.ts";
import type { MayReach } from "#app/infra/http/client.server.ts";
import type { ProductImage } from "#db/types.ts";
import { addPicture } from "../pictures/new-picture.server.ts";
import { originalOf } from "../pictures/originals.server.ts";
import { readSource } from "./picture-source.server.ts";

/** Stores the picture that a product document names, once however often it is imported. Throws with what is wrong. */
export async function importPicture(
  source: string,
  folder: string | undefined,
  alt: string,
  mayReach: MayReach,
): Promise<ProductImage> {
  const given = (await ownPicture(source)) ?? (await readSource(source, folder, mayReach));
  return { ...(await addPicture(given)), alt };
}

/** The hash of the picture that an address of this shop names; undefined where it names none. */
export function ownHash(source: string): string | undefined {
  const url = URL.parse(source);
  return url?.origin === env.publicUrl.origin ? /^\/images\/([0-9a-f]{20})\//.exec(url.pathname)?.[1] : undefined;
}

/** The picture behind an address in an export of this shop; undefined where the source is something else. */
async function ownPicture(source: string): Promise<Buffer | undefined> {
  const hash = ownHash(source);
  if (!hash) return undefined;
  const bytes = await originalOf(hash);
  if (!bytes) throw new Error("this shop has no such picture");
  return bytes;
}
