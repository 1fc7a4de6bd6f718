import type { ProductKind } from "#db/types.ts";
import { type Alike, best, mostOff, percentOf } from "./best.ts";
import { counts, isAbout, isRunning, type Offer, type Shopper, type ShopperRefusal, shopperRefusal } from "./offer.ts";

/** A line of a cart or an order; `priceCents` is the price in force. */
export type PlainLine = {
  productId: string;
  size: string;
  color: string;
  kinds: readonly ProductKind[];
  /** The ids of the collections that the product is in. Those that no offer names may be left out. */
  collections?: readonly string[];
  priceCents: number;
  quantity: number;
  isOnSale?: boolean;
  /** Staff have agreed on `priceCents` with the customer. */
  isAgreed?: boolean;
};

export type NamedOffer = { id: number; name: string };

/** A line's price for each piece after all offers, and the offers that have lowered it. */
export type Priced = { priceCents: number; offers: NamedOffer[] };

/** A code that the shopper has typed. `offerId` is null if there is no such code. */
export type TypedCode = { code: string; offerId: number | null };

/**
 * Why a code does not count. `unknown`: it does not exist, has ended, is paused or used up; the shop does not say
 * which.
 */
export type CodeRefusal =
  | { why: "unknown" }
  | { why: ShopperRefusal }
  /** `has`: the cents or the number of pieces in the cart that the offer is about. */
  | { why: "sum"; has: number; missing: number; needed: number }
  | { why: "pieces"; has: number; missing: number; needed: number }
  /**
   * The offer is about no piece in the cart. `onSale`: whether it would be about pieces that are excluded as on sale.
   */
  | { why: "nothing"; onSale: boolean }
  | { why: "better-without" };

export type CodeAnswer = { code: string; offer?: NamedOffer } & ({ counts: true } | ({ counts: false } & CodeRefusal));

export type Pricing<L extends PlainLine> = {
  lines: (L & Priced & { fullCents: number })[];
  /** The total saving, after rounding. */
  savedCents: number;
  /** The saving by each offer, before prices are rounded to whole cents. Offers that save nothing are left out. */
  given: { offer: Offer; cents: number }[];
  /** The offer that makes the default way of delivery free. */
  freeDelivery?: NamedOffer;
  /** The cents that are missing for free delivery by an offer whose other conditions are met. */
  toFreeDelivery?: number;
  code?: CodeAnswer;
};

/** The least price of an order after offers, in cents. */
export const LEAST_ORDER = 50;

/**
 * Prices a cart with the offers that apply to it. `offers`: all automatic offers, and the offer of `code`. At most one
 * offer applies to each piece; the combination that saves most is chosen. Free delivery is given in addition. A code
 * counts only if it saves more than the offers without it.
 *
 * All pieces of a line have the same price: a saving on some of them is spread over all, in whole cents, rounded in the
 * shopper's favour. A price never falls below a tenth, nor an order below `LEAST_ORDER`. The order of the lines and of
 * the offers does not matter.
 */
export function price<L extends PlainLine>(
  lines: readonly L[],
  offers: readonly Offer[],
  code: TypedCode | undefined,
  shopper: Shopper,
  now: Date,
): Pricing<L> {
  const byAge = offers.toSorted((a, b) => a.id - b.id);
  const running = byAge.filter((offer) => isRunning(offer, now) && !offer.usedUp);
  const applies = (offer: Offer) => !shopperRefusal(offer, shopper) && !unmet(offer, lines);
  const automatic = running.filter((offer) => !offer.byCode && applies(offer));
  const typed = code && running.find((offer) => offer.byCode && offer.id === code.offerId);
  const plain = withOffers(lines, automatic);
  const answer = (said: { counts: true } | ({ counts: false } & CodeRefusal)): CodeAnswer => ({
    code: code?.code ?? "",
    ...(typed && { offer: named(typed) }),
    ...said,
  });
  const result = (pricing: Omit<Pricing<L>, "code">, said?: CodeAnswer) =>
    said ? { ...pricing, code: said } : pricing;
  if (!code) return result(plain);
  if (!typed) return result(plain, answer({ counts: false, why: "unknown" }));
  const refused = shopperRefusal(typed, shopper);
  if (refused) return result(plain, answer({ counts: false, why: refused }));
  const lacks = unmet(typed, lines);
  if (lacks) return result(plain, answer({ counts: false, ...lacks }));
  const withCode = withOffers(
    lines,
    [...automatic, typed].sort((a, b) => a.id - b.id),
  );
  if (typed.gift.kind === "delivery") {
    if (plain.freeDelivery) return result(plain, answer({ counts: false, why: "better-without" }));
    if (withCode.freeDelivery) return result(withCode, answer({ counts: true }));
    const has = aboutCents(typed, withCode.lines);
    const needed = typed.fromCents;
    return result(withCode, answer({ counts: false, why: "sum", has, needed, missing: needed - has }));
  }
  const isBetter = gained(withCode) > gained(plain) && withCode.given.some(({ offer }) => offer === typed);
  if (isBetter) return result(withCode, answer({ counts: true }));
  return result(plain, answer({ counts: false, why: "better-without" }));
}

const gained = ({ given }: Pick<Pricing<PlainLine>, "given">) => given.reduce((sum, { cents }) => sum + cents, 0);
const named = ({ id, name }: Offer): NamedOffer => ({ id, name });

/**
 * Why the pieces do not meet the conditions of an offer. Undefined if they do. The least number and sum of an offer
 * count only the pieces that it is about, at the prices in force. For free delivery the sum after offers counts
 * instead: see `withOffers`.
 */
function unmet(offer: Offer, lines: readonly PlainLine[]): CodeRefusal | undefined {
  const about = lines.filter((line) => counts(offer, line));
  if (about.length === 0) return { why: "nothing", onSale: lines.some((line) => isAbout(offer, line)) };
  const pieces = about.reduce((sum, { quantity }) => sum + quantity, 0);
  const needed = Math.max(offer.fromPieces, offer.gift.kind === "set" ? offer.gift.buy + offer.gift.get : 0);
  if (pieces < needed) return { why: "pieces", has: pieces, needed, missing: needed - pieces };
  if (offer.gift.kind === "delivery") return;
  const cents = aboutCents(offer, about);
  if (cents < offer.fromCents)
    return { why: "sum", has: cents, needed: offer.fromCents, missing: offer.fromCents - cents };
  return;
}

function aboutCents(offer: Offer, lines: readonly PlainLine[]): number {
  return lines.reduce((sum, line) => sum + (counts(offer, line) ? line.priceCents * line.quantity : 0), 0);
}

/** The lines with the best combination of these offers, whose conditions are met. */
function withOffers<L extends PlainLine>(lines: readonly L[], applying: readonly Offer[]): Omit<Pricing<L>, "code"> {
  const offers = applying.filter(({ gift }) => gift.kind !== "delivery");
  const deliveries = applying.filter(({ gift }) => gift.kind === "delivery");
  const sorted = lines.map((line, index) => ({ line, index })).sort((a, b) => compare(a.line, b.line));
  const groups = groupsOf(sorted, offers);
  const { taken } = best(
    groups.map(({ alike }) => alike),
    offers,
  );
  const parts = partsOf(groups, taken, offers);
  const given = offers.map((offer, place) => ({ offer, cents: spread(parts, place, offer) }));
  const off = new Map(parts.map((part) => [part.index, Math.ceil(sum(part.saved) / part.line.quantity)]));
  keepLeast(sorted, off);
  const priced = lines.map((line, index) => {
    const part = parts.find((one) => one.index === index);
    const priceCents = line.priceCents - (off.get(index) ?? 0);
    const own = priceCents < line.priceCents ? offers.filter((_, place) => (part?.saved[place] ?? 0) > 0) : [];
    return { ...line, fullCents: line.priceCents, priceCents, offers: own.map(named) };
  });
  const short = deliveries.map((offer) => ({ offer, missing: offer.fromCents - aboutCents(offer, priced) }));
  const free = short.find(({ missing }) => missing <= 0)?.offer;
  const nearest = short.filter(({ offer }) => !offer.byCode).sort((a, b) => a.missing - b.missing)[0];
  return {
    lines: priced,
    savedCents: priced.reduce((saved, line) => saved + (line.fullCents - line.priceCents) * line.quantity, 0),
    given: given.filter(({ cents }) => cents > 0),
    ...(free && { freeDelivery: named(free) }),
    ...(!free && nearest && { toFreeDelivery: nearest.missing }),
  };
}

type Placed<L> = { line: L; index: number };

/** Compares lines for sorting, independently of their order in the cart. */
function compare(a: PlainLine, b: PlainLine): number {
  return b.priceCents - a.priceCents || compareText(keyOf(a), keyOf(b));
}
const keyOf = ({ productId, size, color, quantity }: PlainLine) => `${productId} ${size} ${color} ${quantity}`;
const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

type Group<L> = { alike: Alike; lines: Placed<L>[] };

/** Groups lines that are equal for all offers. */
function groupsOf<L extends PlainLine>(sorted: readonly Placed<L>[], offers: readonly Offer[]): Group<L>[] {
  const groups = new Map<string, Group<L>>();
  for (const placed of sorted) {
    const { line } = placed;
    const own = offers.flatMap((offer, place) => (counts(offer, line) ? [place] : []));
    if (own.length === 0) continue;
    const key = `${line.priceCents} ${own.join()}`;
    const group = groups.get(key) ?? { alike: { priceCents: line.priceCents, quantity: 0, offers: own }, lines: [] };
    groups.set(key, {
      alike: { ...group.alike, quantity: group.alike.quantity + line.quantity },
      lines: [...group.lines, placed],
    });
  }
  return [...groups.values()];
}

/** A line with the number of its pieces that each offer takes, and the cents that each offer saves on them. */
type Part = { line: PlainLine; index: number; taken: number[]; saved: number[] };

/**
 * Distributes the pieces that offers take from a group among the group's lines: older offers first, in the order of
 * lines.
 */
function partsOf<L extends PlainLine>(
  groups: readonly Group<L>[],
  taken: readonly number[][],
  offers: readonly Offer[],
): Part[] {
  return groups.flatMap(({ lines }, group) => {
    const left = [...(taken[group] ?? [])];
    return lines.map(({ line, index }) => {
      let free = line.quantity;
      const own = offers.map((_, place) => {
        const pieces = Math.min(free, left[place] ?? 0);
        free -= pieces;
        left[place] = (left[place] ?? 0) - pieces;
        return pieces;
      });
      return { line, index, taken: own, saved: offers.map(() => 0) };
    });
  });
}

/** Sets what an offer saves on each part. Returns the sum. */
function spread(parts: readonly Part[], place: number, { gift }: Offer): number {
  const own = parts.filter(({ taken }) => (taken[place] ?? 0) > 0);
  const most = own.map(({ line, taken }) => mostOff(line.priceCents) * (taken[place] ?? 0));
  const cents =
    gift.kind === "percent"
      ? own.map(({ line, taken }, at) =>
          Math.min(percentOf(line.priceCents, gift.percent) * (taken[place] ?? 0), most[at] ?? 0),
        )
      : shared(Math.min(togetherOff(own, place, gift), sum(most)), most);
  for (const [at, part] of own.entries()) part.saved[place] = cents[at] ?? 0;
  return sum(cents);
}

/** The total that a sum or a set takes off its pieces, in cents. */
function togetherOff(own: readonly Part[], place: number, gift: Offer["gift"]): number {
  if (gift.kind === "sum") return gift.cents;
  if (gift.kind !== "set") return 0;
  // The parts are sorted by price, the highest first, so each set gives its last pieces.
  let before = 0;
  let cents = 0;
  for (const { line, taken } of own) {
    const pieces = taken[place] ?? 0;
    cents += (givenAmong(before + pieces, gift) - givenAmong(before, gift)) * percentOf(line.priceCents, gift.percent);
    before += pieces;
  }
  return cents;
}

/** The number of given pieces among the first `pieces`, which form complete sets and the beginning of another one. */
function givenAmong(pieces: number, { buy, get }: { buy: number; get: number }): number {
  const sets = Math.floor(pieces / (buy + get));
  return sets * get + Math.max(0, (pieces % (buy + get)) - buy);
}

/** Reduces the savings if the order would cost less than `LEAST_ORDER`. */
function keepLeast<L extends PlainLine>(sorted: readonly Placed<L>[], off: Map<number, number>): void {
  let total = sorted.reduce(
    (cents, { line, index }) => cents + (line.priceCents - (off.get(index) ?? 0)) * line.quantity,
    0,
  );
  for (const { line, index } of sorted) {
    const own = off.get(index) ?? 0;
    const back = Math.min(own, Math.ceil(Math.max(0, LEAST_ORDER - total) / line.quantity));
    off.set(index, own - back);
    total += back * line.quantity;
  }
}

/** Shares whole cents in proportion to the weights. No share exceeds its weight if the sum does not. */
function shared(cents: number, weights: readonly number[]): number[] {
  const all = sum(weights);
  let before = 0;
  return weights.map((weight) => {
    const from = shareUpTo(cents, before, all);
    before += weight;
    return shareUpTo(cents, before, all) - from;
  });
}

const shareUpTo = (cents: number, part: number, all: number) =>
  all === 0 ? 0 : Number((BigInt(cents) * BigInt(part)) / BigInt(all));

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
