import { isDeepStrictEqual } from "node:util";
import { targetOf } from "#app/catalog/home/hero.ts";
import { SHIPPED_SECTIONS } from "#app/catalog/home/own-sections.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import type { HomeSection } from "#db/types.ts";
import { type Stale, stale } from "../stale.ts";
import { linkProblems } from "../texts/check.server.ts";
import { measured, missingTargets, plainPicture, versionOf } from "./hero.server.ts";
import { type SectionWish, sections } from "./sections.ts";
import { lockShopSettings } from "./settings.server.ts";

/** The keys of `problems` include the index in the list: `0.title`. Nothing is changed then. */
export type SectionsChanged =
  | { ok: true; isNew: boolean; sections: HomeSection[] }
  | Stale
  | { ok: false; problems: Record<string, string> };

/** The current sections of the home page below its slides. */
export async function storedSections(on: Db | Transaction): Promise<HomeSection[]> {
  const row = await on.selectFrom("shopSettings").select("homeSections").executeTakeFirst();
  return row?.homeSections ? JSON.parse(row.homeSections) : SHIPPED_SECTIONS;
}

/**
 * Replaces all sections. Every process of the shop shows the new ones at its next request for the home page. Stale
 * unless `seen` is the current version; without `seen`, any version is replaced. `action` names the change in the audit
 * log. Safe to repeat.
 */
export async function changeSections(
  on: Db,
  by: Actor,
  wishes: SectionWish[],
  seen?: string,
  action: "sections set" | "sections reset" = "sections set",
): Promise<SectionsChanged> {
  const { sections: wanted, problems } = await wholeSections(on, wishes);
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return retryingTransaction(on, async (trx): Promise<SectionsChanged> => {
    await lockShopSettings(trx);
    const now = await storedSections(trx);
    if (isDeepStrictEqual(now, wanted)) return { ok: true, isNew: false, sections: wanted };
    if (seen !== undefined && versionOf(now) !== seen) return stale({});
    const own = ownSections(wanted);
    const homeSections = own && JSON.stringify(own);
    await trx.updateTable("shopSettings").set({ homeSections }).execute();
    const subject = { kind: "shop", id: "sections" };
    await recordChange(trx, { by, action, subject, before: { sections: now }, after: { sections: wanted } });
    return { ok: true, isNew: true, sections: wanted };
  });
}

/** The sections as they are stored: null for the default ones. */
export function ownSections(sections: HomeSection[]): HomeSection[] | null {
  return isDeepStrictEqual(sections, SHIPPED_SECTIONS) ? null : sections;
}

/** Puts back the default sections. Safe to repeat. */
export async function resetSections(on: Db, by: Actor): Promise<void> {
  await changeSections(on, by, sections.parse(SHIPPED_SECTIONS), undefined, "sections reset");
}

/** Completes the sections with the data of their pictures, and returns the problems of new values. */
export async function wholeSections(on: Db, wishes: SectionWish[]) {
  const problems = await problemsOf(on, wishes, await storedSections(on));
  const whole = await Promise.all(wishes.map(withPicture));
  for (const [at, one] of whole.entries())
    if (one.kind === "picture" && !one.picture) problems[`${at}.picture`] = "This picture is missing. Add it again";
  return { sections: whole, problems };
}

/**
 * Error messages by field, for products, collections and pages that do not exist. One that a stored section (`known`)
 * names as well is accepted, so that the other sections can still be saved.
 */
async function problemsOf(on: Db, wishes: SectionWish[], known: HomeSection[]): Promise<Record<string, string>> {
  const before = new Set(known.flatMap(targetsIn).map(String));
  const named = wishes.flatMap((wish, at) =>
    targetsIn(wish).flatMap(([field, target]) => (before.has(`${field},${target}`) ? [] : { at, field, target })),
  );
  const [missing, dead] = await Promise.all([
    missingTargets(
      on,
      named.map(({ target }) => target),
    ),
    linkProblems(
      on,
      named.flatMap(({ field, target }) => (field === "to" ? target : [])),
    ),
  ]);
  return Object.fromEntries(
    named.flatMap(({ at, field, target }): [string, string][] => {
      const problem = (field === "to" ? dead : missing).get(target);
      return problem === undefined ? [] : [[`${at}.${field}`, problem]];
    }),
  );
}

/** What a section links to, by field: a path of the shop, or a product in the form of a slide's target. */
function targetsIn(section: SectionWish | HomeSection): [field: string, target: string][] {
  switch (section.kind) {
    case "collection":
      return [["collection", collectionPath(section.collection)]];
    case "products":
      return section.products.map((id) => ["products", targetOf(id)]);
    case "picture":
    case "slogan":
      return section.to ? [["to", section.to]] : [];
    default:
      return [];
  }
}

/** The section with the data of its picture. The picture is null if the store does not have it. */
async function withPicture(wish: SectionWish): Promise<HomeSection> {
  if (wish.kind !== "picture") return wish;
  return { ...wish, picture: plainPicture((await measured(wish.picture)) ?? null) };
}
