import type { ProductKind } from "#db/types.ts";

/**
 * The benefit of an offer. A new kind also needs its options in `best.ts`, its shares in `price.ts`, its terms in
 * `terms.ts` and its words in `words.ts`.
 */
export type Gift =
  /** A percentage off each piece. */
  | { kind: "percent"; percent: number }
  /** A sum off all pieces together, once per order. */
  | { kind: "sum"; cents: number }
  /** A percentage off the cheapest `get` pieces of each set of `buy` + `get` pieces. 100 gives them away. */
  | { kind: "set"; buy: number; get: number; percent: number }
  /** Free delivery by the default way. */
  | { kind: "delivery" };

/** An offer as it applies to a cart. Sums in naira are already converted to cents at the order's rate. */
export type Offer = {
  /** An older offer has a lower id. */
  id: number;
  /** The name that the shopper reads: "Two tees: 10% off both". */
  name: string;
  gift: Gift;
  /** The pieces that the offer is about: those of any of these kinds, products or collections. All if none is named. */
  kinds: readonly ProductKind[];
  products: readonly string[];
  collections: readonly string[];
  /** Whether pieces on sale count, too. */
  onSaleToo: boolean;
  /** Whether the offer needs a code. */
  byCode: boolean;
  /** The least number of pieces that the offer is about, and their least sum at the prices in force. */
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

/** The known facts about a shopper. Undefined facts count in the shopper's favour; the checkout checks again. */
export type Shopper = {
  email?: string;
  isFirstOrder?: boolean;
  /** The offers that this shopper has used. */
  used?: readonly number[];
  /** The country of delivery. */
  country?: string;
};

/** The most offers that can run or be planned at once, because their combinations are calculated for each cart. */
export const MOST_OFFERS = 12;

export function isRunning({ startsAt, endsAt, paused }: Offer, now: Date): boolean {
  return !paused && startsAt <= now && (endsAt === null || now < endsAt);
}

type Piece = {
  productId: string;
  kinds: readonly ProductKind[];
  collections?: readonly string[];
  isOnSale?: boolean;
  isAgreed?: boolean;
};

/** Whether the offer is about this piece, apart from the question whether the piece is on sale. */
export function isAbout({ kinds, products, collections }: Offer, piece: Piece): boolean {
  if (kinds.length + products.length + collections.length === 0) return true;
  if (products.includes(piece.productId) || piece.kinds.some((kind) => kinds.includes(kind))) return true;
  return piece.collections?.some((id) => collections.includes(id)) ?? false;
}

/** A piece at an agreed price counts only for free delivery, which leaves its price as it is. */
export function counts(offer: Offer, piece: Piece): boolean {
  if (piece.isAgreed && offer.gift.kind !== "delivery") return false;
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
