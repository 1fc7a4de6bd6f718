import { z } from "zod";
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

/** The terms of an offer, as the table stores them. */
export const offerTerms = z.object({
  gift: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("percent"), percent: z.int().min(1).max(90) }),
    z.object({ kind: z.literal("sum"), off: money }),
    z.object({ kind: z.literal("set"), buy: pieces, get: pieces, percent }),
    z.object({ kind: z.literal("delivery") }),
  ]),
  kinds: z.array(z.string()).default([]),
  products: z.array(z.string()).default([]),
  /** Ids of collections, shown or hidden. */
  collections: z.array(z.string()).default([]),
  onSaleToo: z.boolean().default(false),
  fromPieces: z.int().min(0).max(1000).default(0),
  from: money.optional(),
  firstOrderOnly: z.boolean().default(false),
  oncePerShopper: z.boolean().default(false),
  customers: z.array(z.string()).default([]),
  countries: z.array(z.string()).default([]),
  /**
   * The text for a code of this offer after the offer has ended, was paused or is used up. By default the text for an
   * unknown code.
   */
  endedText: z.string().max(200).optional(),
});
export type Terms = z.output<typeof offerTerms>;
type Money = z.output<typeof money>;

/** The running offers, and that of the typed code. */
export type StoredOffers = {
  /** The code as typed. Null if there is none. */
  code: string | null;
  email: string | null;
  /** The country of delivery at the last attempt to pay, if an offer depends on it. */
  country: string | null;
  /** Whether any running offer needs a code. */
  takesCodes: boolean;
  offerOfCode: number | null;
  /** The owner's text for a code that no longer works. */
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
  /** For each product that is in collections which these offers name, the ids of the collections. */
  members?: Members;
};
export type Members = ReadonlyMap<string, readonly string[]>;

/**
 * An offer that an order uses, as stored with the order. `terms` are for a payment that arrives late. A use that is not
 * `held` is taken when the order is paid.
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

/**
 * Prices the lines at present. `stored` has the running offers, as chosen by the database; undefined if there are none.
 */
export function priceNow<L extends PlainLine>(
  lines: readonly L[],
  stored: StoredOffers | undefined,
  rate: Rate,
): Priced<L> {
  const { offers = [], code = null, offerOfCode = null, takesCodes = false, endedText, members } = stored ?? {};
  const typed: TypedCode | undefined = code === null ? undefined : { code, offerId: offerOfCode };
  const shopper: Shopper = {
    email: stored?.email ?? undefined,
    isFirstOrder: !offers.some(({ bought }) => bought),
    used: offers.filter(({ usedBefore }) => usedBefore).map(({ id }) => id),
    country: stored?.country ?? undefined,
  };
  const now = new Date();
  const running = offers.map(({ terms, ...one }) => offerOf({ ...one, usedUp: one.usedUp ?? false, terms }, rate, now));
  const placed = members ? placedIn(lines, members) : lines;
  return { ...price(placed, running, typed, shopper, now), takesCodes, ...(endedText && { endedText }) };
}

/** The lines with the collections that their products are in. */
function placedIn<L extends PlainLine>(lines: readonly L[], members: Members): L[] {
  return lines.map((line) => ({ ...line, collections: members.get(line.productId) ?? [] }));
}

function offerOf(
  { id, name, byCode, usedUp, terms }: Pick<Offer, "id" | "name" | "byCode" | "usedUp"> & { terms: Terms },
  rate: Rate,
  startsAt: Date,
): Offer {
  const { gift, from, collections = [], ...rest } = terms; // terms that were stored before 0035 have no collections
  const fromCents = from ? inCents(from, rate, "down") : 0;
  const own = gift.kind === "sum" ? { kind: "sum" as const, cents: inCents(gift.off, rate, "up") } : gift;
  return {
    id,
    name,
    byCode,
    usedUp,
    gift: own,
    fromCents,
    collections,
    ...rest,
    startsAt,
    endsAt: null,
    paused: false,
  };
}

/** A sum in cents. Naira are rounded in the shopper's favour: up for a discount, down for a minimum. */
function inCents(sum: Money, rate: Rate, rounded: "up" | "down"): number {
  if ("cents" in sum) return sum.cents;
  const millionths = BigInt(sum.kobo) * 1_000_000n;
  return Number((millionths + (rounded === "up" ? rate - 1n : 0n)) / rate);
}

/** The offers to store as used by an order. `delivery`: the price of the default way of delivery, in cents. */
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
    if (products.length === 0 && one.terms.gift.kind !== "delivery") return []; // the least price has undone its saving
    const { byCode, code, version } = one;
    return [
      { offerId: id, code: byCode ? code : null, version, cents: saved, terms: atPay(one.terms, products), held },
    ];
  });
}

/**
 * The terms for a late payment: without conditions, and only for the products that the offer has lowered, so that later
 * price changes do not matter. A collection stands for the products that it had at the moment of Pay: what is put in or
 * taken out later changes no order.
 */
function atPay({ gift }: Terms, products: string[]): Terms {
  return offerTerms.parse({ gift, products: [...new Set(products)], onSaleToo: true });
}

/**
 * Prices the lines by the terms of an offer that does not run yet. All conditions about the shopper except the country
 * count as met. `members`: of the collections that the terms name.
 */
export function priceDraft<L extends PlainLine>(
  lines: readonly L[],
  terms: Terms,
  members: Members,
  rate: Rate,
  country: string,
) {
  const offer = offerOf({ id: 1, name: "", byCode: false, usedUp: false, terms }, rate, new Date(0));
  const email = terms.customers[0];
  return price(placedIn(lines, members), [offer], undefined, { country, email }, new Date());
}

/** Prices the lines by the terms at the moment of Pay, and tells whether delivery was free. */
export function priceAsAtPay<L extends PlainLine>(lines: readonly L[], uses: readonly Terms[], rate: Rate) {
  const now = new Date();
  const offers = uses.map((terms, id) => offerOf({ id, name: "", byCode: false, usedUp: false, terms }, rate, now));
  return price(lines, offers, undefined, {}, now);
}
