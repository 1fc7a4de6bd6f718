import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { collectionOf, currentTarget, productOf, SHIPPED_SLIDES } from "#app/catalog/home/hero.ts";
import { kindIds } from "#app/catalog/kind-field.server.ts";
import { describePicture } from "#app/catalog/pictures/new-picture.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import type { HeroPicture, HeroSlide } from "#db/types.ts";
import { collectionChoices } from "../collections/collections.server.ts";
import { type Stale, stale } from "../stale.ts";
import type { SlideWish } from "./hero.ts";
import { lockShopSettings } from "./settings.server.ts";

/** The keys of `problems` include the index in the list: `0.target`. Nothing is changed then. */
export type HeroChanged =
  | { ok: true; isNew: boolean; slides: HeroSlide[] }
  | Stale
  | { ok: false; problems: Record<string, string> };

/** The current slides. */
export async function storedSlides(on: Db | Transaction): Promise<HeroSlide[]> {
  const row = await on.selectFrom("shopSettings").select("hero").executeTakeFirst();
  return row?.hero?.map(plainly) ?? SHIPPED_SLIDES;
}

/** A hash that identifies these slides or sections. */
export function versionOf(list: object[]): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("base64url");
}

/**
 * Replaces all slides. Every process of the shop shows the new ones at its next request for the home page. Stale unless
 * `seen` is the current version; without `seen`, any version is replaced. Safe to repeat.
 */
export async function changeHero(on: Db, by: Actor, wishes: SlideWish[], seen?: string): Promise<HeroChanged> {
  const { slides, problems } = await wholeSlides(on, wishes);
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return retryingTransaction(on, async (trx): Promise<HeroChanged> => {
    await lockShopSettings(trx);
    const now = await storedSlides(trx);
    if (isDeepStrictEqual(now, slides)) return { ok: true, isNew: false, slides };
    if (seen !== undefined && versionOf(now) !== seen) return stale({});
    const hero = isDeepStrictEqual(slides, SHIPPED_SLIDES) ? null : JSON.stringify(slides);
    await trx.updateTable("shopSettings").set({ hero }).execute();
    const subject = { kind: "shop", id: "hero" };
    await recordChange(trx, { by, action: "hero set", subject, before: { slides: now }, after: { slides } });
    return { ok: true, isNew: true, slides };
  });
}

/**
 * Completes the slides with the data of their pictures, and returns the problems of new values. A slide whose product
 * was deleted after it was linked is accepted, so that the other slides can still be saved.
 */
export async function wholeSlides(on: Db, wishes: SlideWish[]) {
  const known = [...(await storedSlides(on)), ...SHIPPED_SLIDES];
  const missing = await missingTargets(
    on,
    wishes.map(({ target }) => target),
  );
  const problems: Record<string, string> = {};
  const slides: HeroSlide[] = [];
  for (const [at, wish] of wishes.entries()) {
    const isNew = !known.some(({ target }) => target === wish.target);
    const problem = isNew && missing.get(wish.target);
    if (problem) problems[`${at}.target`] = problem;
    const pictures: Record<string, HeroPicture | null> = {};
    for (const name of ["desktop", "phone"] as const) {
      const picture = wish[name] && (await measured(wish[name]));
      if (picture === undefined) problems[`${at}.${name}`] = "This picture is missing. Add it again";
      pictures[name] = picture ?? null;
    }
    slides.push(plainly({ ...wish, desktop: pictures.desktop ?? null, phone: pictures.phone ?? null }));
  }
  return { slides, problems };
}

/** Error messages by target, for targets whose product, kind or collection does not exist. Hidden ones exist. */
export async function missingTargets(on: Db, targets: string[]): Promise<Map<string, string>> {
  const products = await getProducts(
    on,
    targets.flatMap((target) => productOf(target) ?? []),
  );
  const collections = [...(await collectionChoices(on)).map(({ id }) => id), ...kindIds()];
  return new Map(
    targets.flatMap((target): [string, string][] => {
      const [product, collection] = [productOf(target), collectionOf(target)];
      if (product && !products.has(product)) return [[target, `There’s no product ${product}`]];
      if (collection && !collections.includes(collection))
        return [[target, `There’s no collection or kind ${collection}`]];
      return [];
    }),
  );
}

/** A picture with its dimensions, which are read from the store. Undefined if the store does not have it. */
export async function measured({ hash, focus }: { hash: string; focus?: string }): Promise<HeroPicture | undefined> {
  const known = await describePicture(hash);
  return known && { ...known, focus };
}

/** The slide with its keys in a fixed order, because the database keeps none. */
function plainly({ id, ground, title, text, alt, target, label, desktop, phone }: HeroSlide): HeroSlide {
  const pictures = { desktop: plainPicture(desktop), phone: plainPicture(phone) };
  return { id, ground, title, text, alt, target: currentTarget(target), label, ...pictures };
}

/** The picture with its keys in a fixed order. */
export function plainPicture(picture: HeroPicture | null): HeroPicture | null {
  if (!picture) return null;
  const { hash, width, height, background, focus } = picture;
  return { hash, width, height, background, ...(focus && { focus }) };
}
