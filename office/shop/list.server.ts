import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { collectionChoices } from "#app/owner/collections/collections.server.ts";
import { versionOf } from "#app/owner/shop/hero.server.ts";
import type { HomePreview } from "#app/owner/shop/preview.server.ts";
import { type Stale, stale } from "#app/owner/stale.ts";
import type { Outcome } from "../http/changes.server.ts";

/**
 * The names of these products, and of the collections that can be chosen: those that the shop shows, and the `linked`
 * ones.
 */
export async function linkChoices(on: Db, products: string[], linked: string[]) {
  const named = await getProducts(on, products);
  const all = await collectionChoices(on);
  const collections = all.filter(({ id, hidden }) => !hidden || linked.includes(id));
  return {
    products: [...named.values()].map(({ id, title }) => ({ id, title })),
    collections: collections.map(({ id, name }) => ({ id, name })),
  };
}

type Changed = { ok: true } | Stale | { ok: false; problems: Record<string, string> };

/** The outcome of saving a list of the home page. `many`: its name in the form. `now`: the saved list. */
export function listOutcome(done: Changed, many: string, now: object[]): Outcome {
  if (done.ok) return { ok: true, what: "Saved. The shop shows it now.", version: versionOf(now) };
  return "problems" in done
    ? refusal(done.problems, many)
    : stale({ problem: `Somebody else has changed the ${many}` });
}

/** The outcome of the same form if it asked for a preview in the shop. */
export function previewOutcome(made: HomePreview, many: string): Outcome {
  if (!made.ok) return refusal(made.problems, many);
  return { ok: false, problem: "Nothing is saved yet", link: made.link };
}

function refusal(problems: Record<string, string>, many: string): Outcome {
  const named = Object.entries(problems).map(([name, problem]) => [`${many}.${name}`, problem]);
  return { ok: false, problems: Object.fromEntries(named) };
}
