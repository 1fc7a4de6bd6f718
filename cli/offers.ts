import { kindIds } from "#app/catalog/kind-field.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import {
  addOffer,
  changeOffer,
  editOffer,
  knownOffer,
  listCodes,
  listOffers,
  makeCodes,
  type NewOffer,
  type OfferRow,
  storedOffer,
} from "#app/owner/offers/offers.server.ts";
import { readOffer, type TypedOffer, typedOf } from "#app/owner/offers/typed-offer.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, csvOf, type Result } from "./command.ts";

const GIFTS = "--percent N, --off SUM, --buy N --get N (with --percent N for less than free) or --free-delivery";
const FORMS = "Sums are $10 or ₦5,000, times 2026-12-01T09:00, lists have commas";

/** The options that 'offers add' and 'offers set' share. */
const OPTIONS = {
  percent: "N",
  off: "SUM",
  buy: "N",
  get: "N",
  "free-delivery": true,
  kinds: "LIST",
  products: "LIST",
  collections: "LIST",
  "from-pieces": "N",
  "from-sum": "SUM",
  starts: "TIME",
  ends: "TIME",
  uses: "N",
  customers: "LIST",
  countries: "LIST",
  "ended-text": "TEXT",
} as const;
type Chosen = { [K in keyof typeof OPTIONS]?: (typeof OPTIONS)[K] extends true ? boolean : string };

/** The option for each field of the office's form whose name differs. */
const OPTION_OF: Record<string, keyof typeof OPTIONS> = {
  less: "percent",
  fromPieces: "from-pieces",
  fromSum: "from-sum",
  from: "starts",
  until: "ends",
  mostUses: "uses",
  endedText: "ended-text",
};

const NOTHING: TypedOffer = {
  ...{ name: "", starts: "itself", code: "", gift: "percent", percent: "", off: "", buy: "", get: "1", less: "" },
  ...{ kinds: [], products: "", collections: [], fromPieces: "", fromSum: "", from: "", until: "", mostUses: "" },
  ...{ customers: "", countries: "", endedText: "" },
};

export const offers: Actions = {
  "offers list": action({
    says: "all offers: what they do, their uses, what they gave away and what was sold with them",
    changes: false,
    async run({ db }) {
      const rows = await listOffers(db);
      return { code: 0, data: rows, text: rows.map(lineOf).join("\n") || "No offers yet: 'offers add NAME'" };
    },
  }),
  "offers show": action({
    words: ["id"],
    says: "one offer, its terms, and its codes with their uses",
    changes: false,
    async run({ db, words: { id } }) {
      const row = await knownOffer(db, Number(id));
      const [stored, codes] = await Promise.all([storedOffer(db, row.id), listCodes(db, row.id)]);
      const lines = codes.map(
        ({ code, uses, mostUses }) => `${code}  ${uses}${mostUses ? ` of ${mostUses}` : ""} uses`,
      );
      return {
        code: 0,
        data: { ...row, terms: stored?.terms, allCodes: codes },
        text: [lineOf(row), ...lines].join("\n"),
      };
    },
  }),
  "offers add": action({
    words: ["name"],
    options: {
      ...OPTIONS,
      "on-sale": true,
      code: "CODE",
      "single-codes": true,
      once: true,
      "first-order": true,
    },
    says: `an offer: ${GIFTS}. ${FORMS}`,
    changes: true,
    async run({ db, by, words: { name }, options }) {
      if (!giftOf(options)) return badInput(`Say what it gives: ${GIFTS}`);
      const { code = "", once, "on-sale": onSaleToo, "first-order": firstOrderOnly, "single-codes": single } = options;
      const offer = offerOf({
        ...NOTHING,
        ...typedFrom(options),
        ...{ name, code, starts: options.code !== undefined ? "code" : single ? "single" : "itself" },
        ...(onSaleToo && { onSaleToo: "on" }),
        ...(once && { oncePerShopper: "on" }),
        ...(firstOrderOnly && { firstOrderOnly: "on" }),
      });
      return shown(await addOffer(db, by, offer));
    },
  }),
  "offers set": action({
    words: ["id"],
    options: { name: "NAME", ...OPTIONS, "on-sale": "YES|NO", once: "YES|NO", "first-order": "YES|NO" },
    says: `changes an offer: what you don't name stays, and the word none takes a condition away. ${FORMS}. Orders that are being paid keep the old terms`,
    changes: true,
    async run({ db, by, words: { id }, options }) {
      const row = await knownOffer(db, Number(id));
      const stored = await storedOffer(db, row.id);
      if (!stored || row.state === "ended") return badInput("It has ended");
      const { name, once, "on-sale": onSaleToo, "first-order": firstOrderOnly, ...others } = options;
      const offer = offerOf({
        ...typedOf(stored),
        ...typedFrom(others),
        ...(name !== undefined && { name }),
        ...(onSaleToo !== undefined && { onSaleToo: ticked("on-sale", onSaleToo) }),
        ...(once !== undefined && { oncePerShopper: ticked("once", once) }),
        ...(firstOrderOnly !== undefined && { firstOrderOnly: ticked("first-order", firstOrderOnly) }),
      });
      const done = await editOffer(db, by, row.id, stored.version, offer);
      if ("isStale" in done) throw new BadInput("Somebody else has changed this offer meanwhile");
      return shown(done);
    },
  }),
  "offers codes": action({
    words: ["id", "count"],
    says: "makes codes for one use each, for an offer with --single-codes or --code: prints them as CSV",
    changes: true,
    async run({ db, by, words: { id, count } }) {
      const codes = await makeCodes(db, by, Number(id), Number(count));
      return {
        code: 0,
        data: codes,
        text: csvOf(
          codes.map((code) => ({ code })),
          ["code"],
        ),
      };
    },
  }),
  "offers pause": changing(
    "pause",
    "an offer stops counting until 'offers resume'. Orders that are being paid keep it",
  ),
  "offers resume": changing("resume", "a paused offer counts again"),
  "offers end": changing("end", "an offer is over for good. Orders that are being paid keep it"),
};

function changing(to: "pause" | "resume" | "end", says: string) {
  return action({
    words: ["id"],
    says,
    changes: true,
    run: async ({ db, by, words: { id } }) => shown(await changeOffer(db, by, Number(id), to)),
  });
}

const shown = (row: OfferRow): Result => ({ code: 0, data: row, text: lineOf(row) });

function lineOf({ id, name, sentence, state, code, codes, startsAt, endsAt, mostUses, ...row }: OfferRow): string {
  const when = `from ${shopTime(startsAt)}${endsAt ? ` until ${shopTime(endsAt)}` : ""}`;
  const byCode = code ? `code ${code}` : codes > 0 ? `${codes} codes` : "";
  const uses = `${row.uses}${mostUses ? ` of ${mostUses}` : ""} uses`;
  const sums = `${formatUsd(usdCents(row.givenCents))} given, ${formatUsd(usdCents(row.takenCents))} sold with it`;
  return [`${id}  ${name}`, state, byCode, when, uses, sums, sentence].filter(Boolean).join("  ");
}

function giftOf({ percent, off, buy, get, ...options }: Chosen): TypedOffer["gift"] | undefined {
  if (options["free-delivery"]) return "delivery";
  if (buy !== undefined || get !== undefined) return "set";
  if (off !== undefined) return "sum";
  return percent === undefined ? undefined : "percent";
}

/** The fields of the office's form that the options fill in. */
function typedFrom(options: Chosen): Partial<TypedOffer> {
  const gift = giftOf(options);
  const unknown = listOf(options.kinds).find((kind) => !kindIds().includes(kind));
  if (unknown) throw new BadInput(`Kinds are ${kindIds().join(", ")}`);
  const typed = {
    gift,
    [gift === "set" ? "less" : "percent"]: options.percent,
    off: options.off,
    buy: options.buy,
    get: options.get,
    products: options.products,
    fromPieces: options["from-pieces"],
    fromSum: options["from-sum"],
    from: options.starts,
    until: options.ends,
    mostUses: options.uses,
    customers: options.customers,
    countries: options.countries,
    endedText: options["ended-text"],
  };
  const named = Object.entries(typed).filter(([, value]) => value !== undefined);
  return {
    ...(options.kinds !== undefined && { kinds: listOf(options.kinds) }),
    ...(options.collections !== undefined && { collections: listOf(options.collections) }),
    ...Object.fromEntries(named.map(([field, value]) => [field, value === NONE ? "" : value])),
  };
}

/** The offer of these fields. Throws a BadInput with a line for each problem, which names the option. */
function offerOf(typed: TypedOffer): NewOffer {
  const read = readOffer(typed);
  if ("offer" in read) return read.offer;
  const lines = Object.entries(read.problems).map(([field, text]) => `--${OPTION_OF[field] ?? field}: ${text}`);
  throw new BadInput(lines.join("\n"));
}

/** The word that takes a condition away. */
const NONE = "none";

function listOf(text = ""): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && one !== NONE);
}

function ticked(option: string, value: string): "on" | undefined {
  if (value === "yes") return "on";
  if (value === "no") return;
  throw new BadInput(`--${option} takes yes or no`);
}
