import { z } from "zod";
import { KIND_NAMES } from "#app/catalog/product.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import type { Offer, Shopper } from "./offer.ts";
import { type PlainLine, type Pricing, price, type TypedCode } from "./price.ts";

const cents = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
/** A sum in dollars or in naira. */
const money = z.union([z.object({ cents }), z.object({ kobo: z.int().min(100).max(1e13) })]);
const percent = z.int().min(1).max(100);
const pieces = z.int().min(1).max(20);

/** The terms of an offer, as the table keeps them. */
export const offerTerms = z.object({
  gift: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("percent"), percent: z.int().min(1).max(90) }),
    z.object({ kind: z.literal("sum"), off: money }),
    z.object({ kind: z.literal("set"), buy: pieces, get: pieces, percent }),
    z.object({ kind: z.literal("delivery") }),
  ]),
  kinds: z.array(z.enum(KIND_NAMES)).default([]),
  products: z.array(z.string()).default([]),
  onSaleToo: z.boolean().default(false),
  fromPieces: z.int().min(0).max(1000).default(0),
  from: money.optional(),
  firstOrderOnly: z.boolean().default(false),
  oncePerShopper: z.boolean().default(false),
  customers: z.array(z.string()).default([]),
  countries: z.array(z.string()).default([]),
  /** What a code of it says once it is over, paused or used up; otherwise the same as one that never was. */
  endedText: z.string().max(200).optional(),
});
export type Terms = z.output<typeof offerTerms>;
type Money = z.output<typeof money>;

/** The offers that run, with the one of the code, as the database's function offers_for() gives them. */
export type StoredOffers = {
  /** As it was typed; null for none. */
  code: string | null;
  email: string | null;
  /** Where the last try to pay was to be delivered, if an offer asked for it. */
  country: string | null;
  /** Whether an offer runs that only a code starts. */
  takesCodes: boolean;
  offerOfCode: number | null;
  /** What the owner has a code say that no longer works. */
  endedText: string | null;
  offers: {
    id: number;
    name: string;
    terms: Terms;
    byCode: boolean;
    version: number;
    code: string | null;
    usedUp: boolean | null;
    usedBefore: boolean;
    bought: boolean;
  }[];
};

/**
 * What an order keeps of each offer that made its prices. `terms` are those of a late payment; a use that is not `held`
 * is taken when the order is paid.
 */
export type OfferUse = {
  offerId: number;
  code: string | null;
  version: number;
  cents: number;
  terms: Terms;
  held: boolean;
};

export type Priced<L extends PlainLine> = Pricing<L> & { takesCodes: boolean; endedText?: string };

/** What the lines cost now. `stored` is missing where no offer runs. The database has chosen the offers that run. */
export function priceNow<L extends PlainLine>(
  lines: readonly L[],
  stored: StoredOffers | undefined,
  rate: Rate,
): Priced<L> {
  const { offers = [], code = null, offerOfCode = null, takesCodes = false, endedText } = stored ?? {};
  const typed: TypedCode | undefined = code === null ? undefined : { code, offerId: offerOfCode };
  const shopper: Shopper = {
    email: stored?.email ?? undefined,
    isFirstOrder: !offers.some(({ bought }) => bought),
    used: offers.filter(({ usedBefore }) => usedBefore).map(({ id }) => id),
    country: stored?.country ?? undefined,
  };
  const now = new Date();
  const running = offers.map(({ terms, ...one }) => offerOf({ ...one, usedUp: one.usedUp ?? false, terms }, rate, now));
  return { ...price(lines, running, typed, shopper, now), takesCodes, ...(endedText && { endedText }) };
}

function offerOf(
  { id, name, byCode, usedUp, terms }: Pick<Offer, "id" | "name" | "byCode" | "usedUp"> & { terms: Terms },
  rate: Rate,
  startsAt: Date,
): Offer {
  const { gift, from, ...rest } = terms;
  const fromCents = from ? inCents(from, rate, "down") : 0;
  const own = gift.kind === "sum" ? { kind: "sum" as const, cents: inCents(gift.off, rate, "up") } : gift;
  return { id, name, byCode, usedUp, gift: own, fromCents, ...rest, startsAt, endsAt: null, paused: false };
}

/** A sum in cents. Naira are rounded for the shopper: up where they are taken off, down where they are needed. */
function inCents(sum: Money, rate: Rate, rounded: "up" | "down"): number {
  if ("cents" in sum) return sum.cents;
  const millionths = BigInt(sum.kobo) * 1_000_000n;
  return Number((millionths + (rounded === "up" ? rate - 1n : 0n)) / rate);
}

/** What an order keeps of the offers that made its prices. `delivery`: what the default way would have cost. */
export function usesOf(
  { given, freeDelivery, lines }: Pick<Pricing<PlainLine>, "given" | "freeDelivery" | "lines">,
  stored: StoredOffers | undefined,
  delivery: number,
  held: boolean,
): OfferUse[] {
  const all = [
    ...given.map(({ offer: { id }, cents: saved }) => ({ id, cents: saved })),
    ...(freeDelivery ? [{ id: freeDelivery.id, cents: delivery }] : []),
  ];
  return all.flatMap(({ id, cents: saved }) => {
    const one = stored?.offers.find((other) => other.id === id);
    if (!one) return [];
    const products = lines
      .filter(({ offers }) => offers.some((other) => other.id === id))
      .map((line) => line.productId);
    if (products.length === 0 && one.terms.gift.kind !== "delivery") return []; // an order that costs the least saves nothing
    const { byCode, code, version } = one;
    return [
      { offerId: id, code: byCode ? code : null, version, cents: saved, terms: atPay(one.terms, products), held },
    ];
  });
}

/** The terms without conditions, on the pieces that the offer touched: they stay whatever prices do afterwards. */
function atPay({ gift }: Terms, products: string[]): Terms {
  return offerTerms.parse({ gift, products: [...new Set(products)], onSaleToo: true });
}

/** What the lines would cost by the terms of an offer that does not run yet, for a shopper of whom all else fits. */
export function priceDraft<L extends PlainLine>(lines: readonly L[], terms: Terms, rate: Rate, country: string) {
  const offer = offerOf({ id: 1, name: "", byCode: false, usedUp: false, terms }, rate, new Date(0));
  const email = terms.customers[0];
  return price(lines, [offer], undefined, { country, email }, new Date());
}

/** What the lines cost by the terms of the moment of Pay, and whether delivery was free. */
export function priceAsAtPay<L extends PlainLine>(lines: readonly L[], uses: readonly Terms[], rate: Rate) {
  const now = new Date();
  const offers = uses.map((terms, id) => offerOf({ id, name: "", byCode: false, usedUp: false, terms }, rate, now));
  return price(lines, offers, undefined, {}, now);
}
