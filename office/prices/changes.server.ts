import { z } from "zod";
import { kindField } from "#app/catalog/kind-field.server.ts";
import { lastMinuteText } from "#app/catalog/prices/until.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { readSaleItems } from "#app/owner/prices/sale-items.ts";
import { endSale, idsOfKind, planSale, type SalePlan } from "#app/owner/prices/sale-plan.server.ts";
import { momentAfter, momentOf, OVER_AT_ONCE } from "#app/owner/shop-time.server.ts";
import { change, type Outcome } from "../http/changes.server.ts";
import { MB } from "../http/form.server.ts";

/** The most products of one plan. */
export const MOST_PRODUCTS = 10_000;
/** The number of rows shown in the preview of a plan. */
const SHOWN = 200;

const typed = z.object({
  kind: z.literal("").or(kindField).default(""),
  list: z.string().max(MB).default(""),
  percent: z.string().trim().max(10).default(""),
  price: z.string().trim().max(20).default(""),
  from: z.string().max(30).default(""),
  until: z.string().max(30).default(""),
  finalSale: z.literal("on").optional(),
});
type Typed = z.infer<typeof typed>;
const plan = z.uuid();

export const SALE_CHANGES = {
  /** Without `agreed`, nothing is saved, and the outcome contains a preview. */
  save: change({
    needs: "prices",
    size: { bytes: 2 * MB },
    fields: typed.extend({ agreed: z.literal("on").optional() }),
    run: ({ by, fields: { agreed, ...fields } }) => outcomeOf(by, fields, agreed === "on"),
  }),
  end: change({
    needs: "prices",
    fields: z.object({ plan, product: z.string().max(100).optional() }),
    run: async ({ by, fields }) => {
      const count = await endSale(db(), by, fields.plan, fields.product);
      return { ok: true, what: count > 0 ? `Ended for ${plural(count, "product")}.` : "It was over already." };
    },
  }),
};

async function outcomeOf(by: Parameters<typeof planSale>[1], fields: Typed, saves: boolean): Promise<Outcome> {
  const { kind, list, from, until, finalSale } = fields;
  const [startsAt, endsAt] = [momentOf(from), momentAfter(until)];
  const read = readSaleItems(list, { percent: fields.percent, price: fields.price });
  const problems: Record<string, string> = {
    ...read.problems,
    ...(from && !startsAt && { from: "A day and a time, or nothing: then it begins now" }),
    ...(until && !endsAt && { until: "A day and a time, or nothing: then it has no end" }),
    ...((kind === "") === (list.trim() === "") && { list: "Choose a kind, or paste a list" }),
  };
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const items = kind ? (await idsOfKind(db(), kind)).map((id) => ({ id, ...read.terms })) : read.items;
  if (items.length === 0) return { ok: false, problems: { kind: "There’s no product of this kind" } };
  if (items.length > MOST_PRODUCTS)
    return { ok: false, problems: { list: `At most ${MOST_PRODUCTS} products at once` } };
  const terms = { startsAt, endsAt, finalSale: finalSale === "on" };
  const made = await planSale(db(), by, items, terms, { saves });
  if (made.late) return { ok: false, problems: { until: OVER_AT_ONCE } };
  if (made.problems.length > 0)
    return { ok: false, problems: { [kind ? "price" : "list"]: problemsText(made.problems) } };
  const { rows } = made;
  if (saves) {
    const begins = startsAt && startsAt > new Date() ? "planned" : "in force now";
    return {
      ok: true,
      what: `Saved: ${plural(rows.length, "sale price")}, ${begins}${endsAt ? `, until ${lastMinuteText(endsAt)}` : ""}.`,
    };
  }
  const withoutOld = rows.filter(({ oldCents }) => oldCents === null).length;
  return {
    ok: false,
    problem: LOOK_FIRST,
    sale: { typed: fields, rows: rows.slice(0, SHOWN), count: rows.length, withoutOld },
  };
}

const LOOK_FIRST = "Nothing is saved yet: look at what changes, then save it.";
const MOST_NAMED = 5;

function problemsText(problems: SalePlan["problems"]): string {
  const named = problems.slice(0, MOST_NAMED).map(({ id, text }) => `${id}: ${text}`);
  const more = problems.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(". ");
}
