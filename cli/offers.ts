import { KIND_NAMES } from "#app/catalog/product.ts";
import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { offerTerms } from "#app/offers/terms.ts";
import { addOffer, changeOffer, listOffers, makeCodes, type OfferRow } from "#app/owner/offers/offers.server.ts";
import { readSum } from "#app/owner/offers/typed-offer.server.ts";
import { momentAfter, momentOf, shopTime } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, csvOf, type Result } from "./command.ts";

const GIFTS = "--percent N, --off SUM, --buy N --get N (with --percent N for less than free) or --free-delivery";

export const offers: Actions = {
  "offers list": action({
    says: "all offers: what they do, their uses, what they gave away and what was sold with them",
    changes: false,
    async run({ db }) {
      const rows = await listOffers(db);
      return { code: 0, data: rows, text: rows.map(lineOf).join("\n") || "No offers yet: 'offers add NAME'" };
    },
  }),
  "offers add": action({
    words: ["name"],
    options: {
      percent: "N",
      off: "SUM",
      buy: "N",
      get: "N",
      "free-delivery": true,
      kinds: "LIST",
      products: "LIST",
      "on-sale": true,
      code: "CODE",
      "single-codes": true,
      "from-pieces": "N",
      "from-sum": "SUM",
      starts: "TIME",
      ends: "TIME",
      uses: "N",
      once: true,
      "first-order": true,
      customers: "LIST",
      countries: "LIST",
      "ended-text": "TEXT",
    },
    says: `an offer: ${GIFTS}. Sums are $10 or ₦5,000, times 2026-12-01T09:00, lists have commas`,
    changes: true,
    async run({ db, by, words: { name }, options }) {
      const gift = giftOf(options);
      if (!gift) return badInput(`Say what it gives: ${GIFTS}`);
      const from = options["from-sum"] === undefined ? undefined : readSum(options["from-sum"]);
      const startsAt = options.starts ? momentOf(options.starts) : undefined;
      const endsAt = options.ends ? momentAfter(options.ends) : undefined;
      if ((options.starts && !startsAt) || (options.ends && !endsAt))
        return badInput("A time is like 2026-12-01T09:00, in the shop’s time zone");
      const terms = offerTerms.safeParse({
        gift,
        kinds: listOf(options.kinds),
        products: listOf(options.products),
        onSaleToo: options["on-sale"] ?? false,
        fromPieces: Number(options["from-pieces"] ?? 0),
        ...(options["from-sum"] !== undefined && { from }),
        firstOrderOnly: options["first-order"] ?? false,
        oncePerShopper: options.once ?? false,
        customers: listOf(options.customers).map((email) => email.toLowerCase()),
        countries: listOf(options.countries),
        ...(options["ended-text"] && { endedText: options["ended-text"] }),
      });
      if (!terms.success) return badInput(problemOf(terms.error.issues[0]?.path.join(" ") ?? ""));
      const mostUses = options.uses === undefined ? undefined : Number(options.uses);
      if (mostUses !== undefined && !(Number.isInteger(mostUses) && mostUses > 0 && mostUses < 2 ** 31))
        return badInput("--uses is a whole number from 1 on");
      const { code } = options;
      const byCode = code !== undefined || options["single-codes"] === true;
      return shown(await addOffer(db, by, { name, terms: terms.data, byCode, code, startsAt, endsAt, mostUses }));
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

function giftOf(options: { percent?: string; off?: string; buy?: string; get?: string; "free-delivery"?: boolean }) {
  const { percent, off, buy, get } = options;
  if (options["free-delivery"]) return { kind: "delivery" };
  if (buy !== undefined || get !== undefined)
    return { kind: "set", buy: Number(buy), get: Number(get ?? 1), percent: Number(percent ?? 100) };
  if (off !== undefined) return { kind: "sum", off: readSum(off) };
  return percent === undefined ? undefined : { kind: "percent", percent: Number(percent) };
}

function listOf(text = ""): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

function problemOf(path: string): string {
  if (path.startsWith("kinds")) return `Kinds are ${KIND_NAMES.join(", ")}`;
  if (path.startsWith("gift percent")) return "A percentage is a whole number from 1 to 90; of a set, up to 100";
  if (path.startsWith("gift buy") || path.startsWith("gift get"))
    return "--buy and --get are whole numbers from 1 to 20";
  if (path.startsWith("fromPieces")) return "--from-pieces is a whole number up to 1000";
  if (path.startsWith("endedText")) return "--ended-text has at most 200 characters";
  return "A sum is in dollars or naira: $10 or ₦5,000";
}
