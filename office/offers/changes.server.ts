import { randomUUID } from "node:crypto";
import { redirect } from "react-router";
import { z } from "zod";
import { kindsField } from "#app/catalog/kind-field.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import type { Terms } from "#app/offers/terms.ts";
import { ID_MAX, MOST_COLLECTIONS } from "#app/owner/collections/collection.ts";
import {
  addOffer,
  changeOffer,
  editOffer,
  MOST_CODES,
  makeCodes,
  type NewOffer,
  offerProblems,
  sentenceOf,
} from "#app/owner/offers/offers.server.ts";
import { previewOffer } from "#app/owner/offers/preview.server.ts";
import { readOffer, type TypedOffer } from "#app/owner/offers/typed-offer.server.ts";
import type { Stale } from "#app/owner/stale.ts";
import { change, type Outcome, outdated } from "../http/changes.server.ts";

const text = (most: number) => z.string().max(most).default("");
const tick = z.literal("on").optional();

const typed = z.object({
  key: z.uuid().optional(),
  version: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional(),
  name: text(100),
  starts: z.enum(["itself", "code", "single"]).default("itself"),
  code: text(40),
  gift: z.enum(["percent", "sum", "set", "delivery"]).default("percent"),
  percent: text(10),
  off: text(30),
  buy: text(10),
  get: text(10),
  less: text(10),
  kinds: kindsField.default([]),
  products: text(20_000),
  collections: z.array(z.string().max(ID_MAX)).max(MOST_COLLECTIONS).default([]),
  onSaleToo: tick,
  fromPieces: text(10),
  fromSum: text(30),
  from: text(30),
  until: text(30),
  mostUses: text(15),
  firstOrderOnly: tick,
  oncePerShopper: tick,
  customers: text(50_000),
  countries: text(2000),
  endedText: text(200),
});

/** A change that saves an offer with `keep`. Without `agreed`, nothing is saved, and the outcome contains a preview. */
const saving = (keep: (by: Actor, offer: NewOffer, fields: TypedOffer, params: Params) => Promise<Kept>) => ({
  save: change({
    needs: "offers",
    fields: typed.extend({ agreed: z.literal("on").optional() }),
    run: ({ by, params, fields: { agreed, ...fields } }) =>
      save(fields, agreed === "on", (offer) => keep(by, offer, fields, params)),
  }),
});
type Params = { id?: string };
type Kept = { id: number } | Stale<{ version: number }>;

export const NEW_OFFER_CHANGES = saving((by, offer) => addOffer(db(), by, offer));

export const EDIT_OFFER_CHANGES = saving((by, offer, { version }, { id }) =>
  editOffer(db(), by, Number(id), Number(version), offer),
);

async function save(
  fields: TypedOffer,
  isAgreed: boolean,
  keep: (offer: NewOffer) => Promise<Kept>,
): Promise<Outcome | Response> {
  const read = readOffer(fields);
  if ("problems" in read) return { ok: false, problems: read.problems, typed: fields };
  const { offer } = read;
  try {
    if (isAgreed) {
      const kept = await keep(offer);
      if (!("isStale" in kept)) return redirect(`/offers/${kept.id}`);
      return { ...outdated("this offer", kept), typed: { ...fields, version: String(kept.version) } };
    }
    const problems = await offerProblems(db(), offer);
    if (Object.keys(problems).length > 0) return { ok: false, problems, typed: fields };
    const sentence = await sentenceOf(db(), offer);
    const preview = await previewOffer(db(), offer.terms);
    const shown = { sentence, preview, isSalePrice: !offer.byCode && isSalePrice(offer.terms) };
    return { ok: false, problem: LOOK_FIRST, offer: shown, typed: { ...fields, key: randomUUID() } };
  } catch (error) {
    if (error instanceof BadInput) return { ok: false, problem: error.message, typed: fields };
    throw error;
  }
}

const LOOK_FIRST = "Nothing is saved yet: look at what it does, then save it.";

/** Whether a sale price could replace the offer. A sale price also shows in lists and on the products' pages. */
function isSalePrice(terms: Terms): boolean {
  const hasCondition =
    terms.fromPieces > 1 || terms.from || terms.firstOrderOnly || terms.oncePerShopper || terms.customers.length > 0;
  return terms.gift.kind === "percent" && !hasCondition && terms.countries.length === 0;
}

const NO_FIELDS = z.object({});

const changing = (to: "pause" | "resume" | "end", what: string) =>
  change({
    needs: "offers",
    fields: NO_FIELDS,
    run: async ({ by, params }) => {
      await changeOffer(db(), by, Number(params.id), to);
      return { ok: true, what };
    },
  });

export const OFFER_CHANGES = {
  pause: changing("pause", "Paused. Orders that are being paid keep it."),
  resume: changing("resume", "It counts again."),
  end: changing("end", "Ended. Orders that are being paid keep it."),
  codes: change({
    needs: "offers",
    fields: z.object({
      key: z.uuid().optional(),
      count: z.coerce.number(`A whole number from 1 to ${MOST_CODES}`).int().min(1).max(MOST_CODES),
    }),
    run: async ({ by, params, fields: { count, key } }) => {
      await makeCodes(db(), by, Number(params.id), count, key);
      return { ok: true, what: `${plural(count, "code")} made. Download the list below.` };
    },
  }),
};
