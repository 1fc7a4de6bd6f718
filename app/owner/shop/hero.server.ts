import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { productOf, SHIPPED_SLIDES } from "#app/catalog/home/hero.ts";
import { describePicture } from "#app/catalog/pictures/new-picture.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import type { HeroPicture, HeroSlide } from "#db/types.ts";
import type { SlideWish } from "./hero.ts";

/** `isStale`: somebody else has changed the slides since they were `seen`. `problems` are named by their place in the list: `0.target`. Both change nothing. */
export type HeroChanged =
  | { ok: true; isNew: boolean; slides: HeroSlide[] }
  | { ok: false; isStale: true }
  | { ok: false; problems: Record<string, string> };

/** The slides as they are now. */
export async function storedSlides(on: Db | Transaction): Promise<HeroSlide[]> {
  const row = await on.selectFrom("shopSettings").select("hero").executeTakeFirst();
  return row?.hero?.map(plainly) ?? SHIPPED_SLIDES;
}

/** What these slides are known by: another text for any others. */
export function versionOf(slides: HeroSlide[]): string {
  return createHash("sha256").update(JSON.stringify(slides)).digest("base64url");
}

/**
 * Puts these slides in the place of all others, in their order; the home page shows them at its next request, in each process of the shop. `seen`: the
 * version that the change was meant for; without it whatever is there is replaced. Safe to repeat.
 */
export async function changeHero(on: Db, by: Actor, wishes: SlideWish[], seen?: string): Promise<HeroChanged> {
  const { slides, problems } = await wholeSlides(on, wishes, [...(await storedSlides(on)), ...SHIPPED_SLIDES]);
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return retryingTransaction(on, async (trx): Promise<HeroChanged> => {
    await sql`insert into shop_settings default values on conflict do nothing`.execute(trx);
    await sql`select from shop_settings for update`.execute(trx);
    const now = await storedSlides(trx);
    if (isDeepStrictEqual(now, slides)) return { ok: true, isNew: false, slides };
    if (seen !== undefined && versionOf(now) !== seen) return { ok: false, isStale: true };
    const hero = isDeepStrictEqual(slides, SHIPPED_SLIDES) ? null : JSON.stringify(slides);
    await trx.updateTable("shopSettings").set({ hero }).execute();
    const subject = { kind: "shop", id: "hero" };
    await recordChange(trx, { by, action: "hero set", subject, before: { slides: now }, after: { slides } });
    return { ok: true, isNew: true, slides };
  });
}

/** With all that is known of their pictures, and what is wrong with what they name anew: a product that has gone since is no reason to refuse the rest. */
async function wholeSlides(on: Db, wishes: SlideWish[], known: HeroSlide[]) {
  const products = await getProducts(
    on,
    wishes.flatMap(({ target }) => productOf(target) ?? []),
  );
  const problems: Record<string, string> = {};
  const slides: HeroSlide[] = [];
  for (const [at, wish] of wishes.entries()) {
    const product = productOf(wish.target);
    const isNew = !known.some(({ target }) => target === wish.target);
    if (product && isNew && !products.has(product)) problems[`${at}.target`] = `There is no product ${product}`;
    const pictures: Record<string, HeroPicture | null> = {};
    for (const name of ["desktop", "phone"] as const) {
      const picture = wish[name] && (await measured(wish[name]));
      if (picture === undefined) problems[`${at}.${name}`] = "This picture is not there any more: add it again";
      pictures[name] = picture ?? null;
    }
    slides.push(plainly({ ...wish, desktop: pictures.desktop ?? null, phone: pictures.phone ?? null }));
  }
  return { slides, problems };
}

async function measured({ hash, focus }: { hash: string; focus?: string }): Promise<HeroPicture | undefined> {
  const known = await describePicture(hash);
  return known && { ...known, focus };
}

/** In an order of its own: the database keeps none. */
function plainly({ id, ground, title, text, alt, target, label, desktop, phone }: HeroSlide): HeroSlide {
  return { id, ground, title, text, alt, target, label, desktop: plainPicture(desktop), phone: plainPicture(phone) };
}

function plainPicture(picture: HeroPicture | null): HeroPicture | null {
  if (!picture) return null;
  const { hash, width, height, background, focus } = picture;
  return { hash, width, height, background, ...(focus && { focus }) };
}
