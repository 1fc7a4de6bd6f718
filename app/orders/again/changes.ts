import { type Cart, countUnits } from "#app/cart/cart.ts";
import { pieceText } from "#app/catalog/sizes.ts";
import * as messages from "#app/messages.ts";
import type { OrderLine } from "#db/types.ts";

/** Why a line of an order is not in the cart as it was bought: no longer sold, sold out, no room, or in part. */
export const OUTCOMES = ["gone", "out", "full", "less"] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** The outcomes by the line's position in the order; lines that are in the cart as they were bought are missing. */
export type Outcomes = Map<number, Outcome>;

/** The order's lines, those of one size as one, as in the cart. `priceCents` is the highest price paid for one. */
export function linesOfSizes(lines: readonly OrderLine[]): OrderLine[] {
  const groups = Map.groupBy(lines, ({ productId, size }) => `${productId} ${size}`);
  return [...groups.values()].flatMap((group) => {
    const priceCents = Math.max(...group.map((line) => line.priceCents));
    return group[0] ? [{ ...group[0], quantity: countUnits(group), priceCents }] : [];
  });
}

/**
 * The URL of the cart after an order was put into it, with what its notice is about. `change` (ID:SIZE:NEWSIZE) if only
 * pieces that came back were, in another size.
 */
export function cartAfter(reference: string, outcomes: Outcomes, change?: string): string {
  const query = new URLSearchParams({ again: reference, ...(change && { change }) });
  for (const outcome of OUTCOMES) {
    const places = [...outcomes].filter(([, one]) => one === outcome).map(([place]) => place);
    if (places.length > 0) query.set(outcome, places.join("-"));
  }
  return `/Cart?${query}`;
}

type CartAfter = { reference: string; outcomes: Outcomes; change?: string };

/** The order's reference and the outcomes in such a URL's query. Undefined if it has none. */
export function readCartAfter(query: URLSearchParams): CartAfter | undefined {
  const reference = query.get("again");
  if (!reference) return;
  const named = OUTCOMES.flatMap((outcome) =>
    (query.get(outcome)?.match(/\d{1,3}/g) ?? []).map((place) => [Number(place), outcome] as const),
  );
  const change = query.get("change");
  return { reference, outcomes: new Map(named), ...(change && { change }) };
}

/**
 * What is different in the cart from the line at a place of the order. `dearer`: the price of one now, and as paid, in
 * US cents.
 */
export type Difference = { place: number; piece: string; text?: string; dearer?: { now: number; paid: number } };

/**
 * What is different in the cart from the lines of an order. Undefined if nothing is, but not all of them are there: the
 * shopper has taken some out since.
 */
export function differencesOf(lines: readonly OrderLine[], outcomes: Outcomes, cart: Cart): Difference[] | undefined {
  const found = linesOfSizes(lines).map((line, place) => differencesAt(place, line, outcomes.get(place), cart));
  const differences = found.flatMap((one) => one ?? []);
  return differences.length > 0 || !found.includes(undefined) ? differences : undefined;
}

/** Undefined if the line is not in the cart, and nobody knows why. */
function differencesAt(
  place: number,
  line: OrderLine,
  outcome: Outcome | undefined,
  cart: Cart,
): Difference[] | undefined {
  const of = { place, piece: pieceText(line) };
  if (outcome && outcome !== "less") return [{ ...of, text: messages.again[outcome] }];
  const there = cart.lines.find(({ id, size }) => id === line.productId && size === line.size);
  if (!there) return;
  const { availableQuantity, maxQuantity, quantity, priceCents } = there;
  if (availableQuantity === 0) return [{ ...of, text: messages.again.out }];
  const isLess = outcome === "less" || (quantity < line.quantity && quantity >= maxQuantity);
  return [
    ...(isLess ? [{ ...of, text: lessText(availableQuantity, maxQuantity) }] : []),
    ...(priceCents > line.priceCents ? [{ ...of, dearer: { now: priceCents, paid: line.priceCents } }] : []),
  ];
}

function lessText(available: number, most: number): string {
  return most < available ? messages.cartOther.mostOfASize(most) : messages.cartOther.onlyLeft(available);
}
