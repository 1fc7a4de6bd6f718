import type { ProductKind } from "#db/types.ts";

/** What an offer gives. One more kind also needs its options in `best.ts` and its words in `words.ts`. */
export type Gift =
  /** Each piece costs so many percent less. */
  | { kind: "percent"; percent: number }
  /** A sum is taken off all pieces together, once an order. */
  | { kind: "sum"; cents: number }
  /** Of each set of `buy` and `get` pieces, the cheapest `get` cost so many percent less; 100 gives them away. */
  | { kind: "set"; buy: number; get: number; percent: number }
  /** The default way of delivery costs nothing. */
  | { kind: "delivery" };

/** An offer as a cart meets it: sums in naira are in cents of the order's rate already. */
export type Offer = {
  /** Offers are numbered as they are made: the lower one is the older. */
  id: number;
  /** What the shopper reads: "Two tees: 10% off both". */
  name: string;
  gift: Gift;
  /** The pieces that the offer is about: any of these kinds or products. Both empty: everything. */
  kinds: readonly ProductKind[];
  products: readonly string[];
  /** Whether pieces on sale count, too. */
  onSaleToo: boolean;
  /** Whether only a code starts it. */
  byCode: boolean;
  /** How many pieces, and which sum of them at prices in force, it needs. */
  fromPieces: number;
  fromCents: number;
  startsAt: Date;
  endsAt: Date | null;
  paused: boolean;
  firstOrderOnly: boolean;
  oncePerShopper: boolean;
  /** Email addresses; empty for everybody. */
  customers: readonly string[];
  /** Names of the countries of delivery; empty for all. */
  countries: readonly string[];
  /** Whether all its uses are taken. */
  usedUp: boolean;
};

/** What is known of the shopper. What is unknown (undefined) speaks for the shopper; the checkout asks again. */
export type Shopper = {
  email?: string;
  isFirstOrder?: boolean;
  /** The offers that this shopper has used. */
  used?: readonly number[];
  /** The country of delivery. */
  country?: string;
};

/** An owner can run no more offers at once: all of them are tried together. */
export const MOST_OFFERS = 12;

export function isRunning({ startsAt, endsAt, paused }: Offer, now: Date): boolean {
  return !paused && startsAt <= now && (endsAt === null || now < endsAt);
}

type Piece = { productId: string; kinds: readonly ProductKind[]; isOnSale?: boolean };

/** Whether the offer is about such a piece, were it not on sale. */
export function isAbout({ kinds, products }: Offer, { productId, kinds: own }: Piece): boolean {
  if (kinds.length + products.length === 0) return true;
  return products.includes(productId) || own.some((kind) => kinds.includes(kind));
}

export function counts(offer: Offer, piece: Piece): boolean {
  return isAbout(offer, piece) && (offer.onSaleToo || !piece.isOnSale);
}

export type ShopperRefusal = "log-in" | "not-for-you" | "first-order" | "once" | "country";

/** Why the offer is not for this shopper; undefined if it is. */
export function shopperRefusal(offer: Offer, shopper: Shopper): ShopperRefusal | undefined {
  const { customers, countries } = offer;
  if (customers.length > 0 && shopper.email === undefined) return "log-in";
  if (customers.length > 0 && !customers.includes(shopper.email?.toLowerCase() ?? "")) return "not-for-you";
  if (offer.firstOrderOnly && shopper.isFirstOrder === false) return "first-order";
  if (offer.oncePerShopper && shopper.used?.includes(offer.id)) return "once";
  const country = shopper.country?.toLowerCase();
  if (countries.length > 0 && country && !countries.some((name) => name.toLowerCase() === country)) return "country";
  return;
}
