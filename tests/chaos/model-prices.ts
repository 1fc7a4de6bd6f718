import type { Offer as ShopOffer } from "#app/offers/offer.ts";
import { price } from "#app/offers/price.ts";

// What offers take off a cart, by trying every way to give each piece to one offer or to none. Slow and plain: it
// shares neither the search nor the rounding with the shop's own pricing.

export type Money = { cents: number } | { kobo: number };
export type Gift =
  | { kind: "percent"; percent: number }
  | { kind: "sum"; off: Money }
  | { kind: "set"; buy: number; get: number; percent: number }
  | { kind: "delivery" };
/** `about`: the products that the offer is about; all by default. `from`: the least sum of their pieces. */
export type Terms = { gift: Gift; about?: readonly number[]; onSaleToo: boolean; fromPieces?: number; from?: Money };
/** Pieces of a product at its price in force. */
export type Line = { product: number; id: string; quantity: number; cents: number; isOnSale: boolean };

/**
 * The price of a piece of each product, what the offers save before prices are rounded, and the terms that count, with
 * the products that each has made cheaper.
 */
export type Priced<T> = {
  prices: Map<number, number>;
  saved: number;
  uses: { terms: T; products: number[] }[];
  isFree: boolean;
};

const LEAST_ORDER = 50; // cents

/** Prices lines with these terms, the oldest first. `rate`: hundredths of a naira for one dollar. */
export function pricedWith<T extends Terms>(lines: Line[], terms: readonly T[], rate: number): Priced<T> {
  const sorted = lines.toSorted((a, b) => b.cents - a.cents || (a.id < b.id ? -1 : 1));
  const met = terms.filter((one) => isMet(one, sorted, rate));
  const goods = met.filter(({ gift }) => gift.kind !== "delivery");
  const found = new Map<string, Priced<T>>();
  for (const ways of bestWays(sorted, goods, rate)) {
    const priced = withDelivery(sorted, met, pricesOf(sorted, goods, ways, rate), rate);
    found.set(nameOf(priced, met), priced);
  }
  const [only, other] = found.values();
  return only && !other ? only : ofEqualOnes(found, sorted, met, rate);
}

/**
 * Of several ways that save as much, the shop's own. Which of them it takes is left to it, and the model has to follow;
 * but it has to be one of them.
 */
function ofEqualOnes<T extends Terms>(
  found: Map<string, Priced<T>>,
  lines: Line[],
  terms: readonly T[],
  rate: number,
): Priced<T> {
  const offers = terms.map((one, id) => offerOf(one, id, lines, rate));
  const plain = lines.map(({ id, cents, ...line }) => {
    return { ...line, productId: id, size: "M", color: "", kinds: [], priceCents: cents };
  });
  const own = price(plain, offers, undefined, {}, new Date());
  const prices = new Map(own.lines.map(({ product, priceCents }) => [product, priceCents]));
  const uses = terms.flatMap((one, id) => {
    const lowered = own.lines.filter((line) => line.offers.some((offer) => offer.id === id));
    const isUsed = lowered.length > 0 || own.freeDelivery?.id === id;
    return isUsed ? [{ terms: one, products: lowered.map(({ product }) => product) }] : [];
  });
  const name = nameOf({ prices, saved: 0, uses, isFree: own.freeDelivery !== undefined }, terms);
  const chosen = found.get(name);
  if (!chosen) throw new Error(`The shop prices ${name}, and the best are ${[...found.keys()].join(" or ")}`);
  return chosen;
}

function offerOf({ gift, about, onSaleToo, from }: Terms, id: number, lines: Line[], rate: number): ShopOffer {
  const own = gift.kind === "sum" ? { kind: "sum" as const, cents: inCents(gift.off, rate, Math.ceil) } : gift;
  const products = lines.filter(({ product }) => about?.includes(product)).map((line) => line.id);
  const fromCents = from && gift.kind === "delivery" ? inCents(from, rate, Math.floor) : 0;
  return {
    ...{ id, name: "", gift: own, kinds: [], collections: [], onSaleToo, byCode: false, usedUp: false, paused: false },
    ...{ startsAt: new Date(0), endsAt: null, firstOrderOnly: false, oncePerShopper: false },
    ...{ products, fromPieces: 0, fromCents, customers: [], countries: [] },
  };
}

/** Names a result, whatever the order of its lines. Products and terms have their numbers. */
function nameOf<T>({ prices, uses, isFree }: Priced<T>, terms: readonly T[]): string {
  const costs = [...prices].sort(([a], [b]) => a - b).map(([product, cents]) => `${product} for ${cents}`);
  const used = uses.map((use) => `${terms.indexOf(use.terms)} on ${use.products.toSorted().join(" and ")}`).sort();
  return `${costs.join(", ")} by ${used.join(", ") || "none"}${isFree ? ", delivered free" : ""}`;
}

const counts = ({ about, onSaleToo }: Terms, { product, isOnSale }: Line) =>
  (about?.includes(product) ?? true) && (onSaleToo || !isOnSale);
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
/** What can be taken off a piece: a tenth of its price stays. */
const mostOff = (cents: number) => cents - Math.ceil(cents / 10);

/** Naira in cents, rounded in the shopper's favour. */
function inCents(money: Money, rate: number, round: (value: number) => number): number {
  return "cents" in money ? money.cents : round((money.kobo * 100) / rate);
}

export function isMet(terms: Terms, lines: Line[], rate: number): boolean {
  const { gift, fromPieces = 0 } = terms;
  const about = lines.filter((line) => counts(terms, line));
  const pieces = sum(about.map(({ quantity }) => quantity));
  const needed = gift.kind === "set" ? gift.buy + gift.get : 1;
  return pieces >= Math.max(needed, fromPieces) && (gift.kind === "delivery" || reaches(terms, about, rate));
}

/** Whether the pieces that an offer is about cost as much as it asks for. */
function reaches(terms: Terms, lines: Line[], rate: number): boolean {
  const about = lines.filter((line) => counts(terms, line));
  const needed = terms.from ? inCents(terms.from, rate, Math.floor) : 0;
  return sum(about.map(({ cents, quantity }) => cents * quantity)) >= needed;
}

/** How many pieces of each line each of the terms has. */
type Ways = number[][];

/** The ways to share out the pieces that save most. */
function bestWays(lines: Line[], goods: Terms[], rate: number): Ways[] {
  let most = -1;
  let best: Ways[] = [];
  for (const ways of allWays(lines, goods)) {
    const savings = goods.map((terms, at) => savingOf(terms, lines, takenBy(ways, at), rate));
    if (savings.includes(undefined)) continue; // a set that is not whole
    const saved = sum(savings.map((cents = 0) => cents));
    if (saved > most) best = [];
    if (saved >= most) best.push(ways);
    most = Math.max(most, saved);
  }
  return best;
}

const takenBy = (ways: Ways, at: number) => ways.map((row) => row[at] ?? 0);

function allWays([line, ...rest]: Line[], goods: Terms[]): Ways[] {
  if (!line) return [[]];
  const others = allWays(rest, goods);
  return rowsOf(line, line.quantity, goods).flatMap((row) => others.map((ways) => [row, ...ways]));
}

function rowsOf(line: Line, pieces: number, [terms, ...rest]: Terms[]): number[][] {
  if (!terms) return [[]];
  const most = counts(terms, line) ? pieces : 0;
  return Array.from({ length: most + 1 }, (_, own) => own).flatMap((own) =>
    rowsOf(line, pieces - own, rest).map((row) => [own, ...row]),
  );
}

/** What an offer saves on its pieces of each line, in cents. Undefined if they are no whole sets. */
function savingOf({ gift }: Terms, lines: Line[], taken: number[], rate: number): number | undefined {
  const pieces = lines.flatMap(({ cents }, at) => Array.from({ length: taken[at] ?? 0 }, () => cents));
  if (gift.kind === "percent") return sum(pieces.map((cents) => percentOff(cents, gift.percent)));
  if (gift.kind === "sum") return Math.min(inCents(gift.off, rate, Math.ceil), sum(pieces.map(mostOff)));
  if (gift.kind === "delivery") return 0;
  const size = gift.buy + gift.get;
  if (pieces.length % size > 0) return;
  // The lines are sorted by price, so that sets of neighbours give the dearest pieces that sets can give.
  return sum(pieces.map((cents, at) => (at % size < gift.buy ? 0 : Math.ceil((cents * gift.percent) / 100))));
}

const percentOff = (cents: number, percent: number) => Math.min(Math.ceil((cents * percent) / 100), mostOff(cents));

/**
 * The prices with these ways. Pieces that no offer has join the oldest sum that is about them, and a line has one
 * price: what some of its pieces save is spread over all of them, rounded for the shopper. An order costs at least
 * `LEAST_ORDER`: where that is passed, the dearest pieces save less.
 */
function pricesOf<T extends Terms>(lines: Line[], goods: T[], best: Ways, rate: number): Omit<Priced<T>, "isFree"> {
  const ways = best.map((row, at) => {
    const joins = goods.findIndex(
      (terms, place) =>
        terms.gift.kind === "sum" && lines[at] && counts(terms, lines[at]) && sum(takenBy(best, place)) > 0,
    );
    const free = (lines[at]?.quantity ?? 0) - sum(row);
    return row.map((pieces, place) => (place === joins ? pieces + free : pieces));
  });
  const shares = goods.map((terms, place) => sharesOf(terms, lines, takenBy(ways, place), rate));
  const rows = lines.map((line, at) => {
    const off = Math.ceil(sum(shares.map((share) => share[at] ?? 0)) / line.quantity);
    return { ...line, price: line.cents - off };
  });
  let total = sum(rows.map(({ price: each, quantity }) => each * quantity));
  for (const row of rows) {
    const more = Math.min(row.cents - row.price, Math.ceil(Math.max(0, LEAST_ORDER - total) / row.quantity));
    row.price += more;
    total += more * row.quantity;
  }
  const isLowered = (place: number) => (row: (typeof rows)[number], at: number) =>
    row.price < row.cents && (shares[place]?.[at] ?? 0) > 0;
  const uses = goods.map((terms, place) => ({
    terms,
    products: rows.filter(isLowered(place)).map((one) => one.product),
  }));
  return {
    prices: new Map(rows.map((row) => [row.product, row.price])),
    saved: sum(shares.flat()),
    uses: uses.filter(({ products }) => products.length > 0),
  };
}

/** What an offer saves on each line: a sum or a set is shared by what can be taken off its pieces, in whole cents. */
function sharesOf(terms: Terms, lines: Line[], taken: number[], rate: number): number[] {
  const { gift } = terms;
  const weights = lines.map(({ cents }, at) => mostOff(cents) * (taken[at] ?? 0));
  if (gift.kind === "percent") return lines.map(({ cents }, at) => percentOff(cents, gift.percent) * (taken[at] ?? 0));
  const all = sum(weights);
  const cents = Math.min(savingOf(terms, lines, taken, rate) ?? 0, all);
  const upTo = (at: number) => (all === 0 ? 0 : Math.floor((cents * sum(weights.slice(0, at))) / all));
  return weights.map((_, at) => upTo(at + 1) - upTo(at));
}

/** Free delivery is beside all others, by what the pieces cost after these. */
function withDelivery<T extends Terms>(
  lines: Line[],
  met: readonly T[],
  priced: Omit<Priced<T>, "isFree">,
  rate: number,
): Priced<T> {
  const after = lines.map((line) => ({ ...line, cents: priced.prices.get(line.product) ?? 0 }));
  const free = met.find((terms) => terms.gift.kind === "delivery" && reaches(terms, after, rate));
  const uses = free ? [...priced.uses, { terms: free, products: [] }] : priced.uses;
  return { ...priced, uses, isFree: free !== undefined };
}
