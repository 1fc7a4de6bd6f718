import type { Rate } from "#app/money/exchange-rate.ts";
import { formatKobo } from "#app/money/format.ts";
import { type Kobo, kobo } from "#app/money/money.ts";
import type { Units } from "./units.ts";

/** What to refund of a sale. Without pieces, a sum or shipping: all that is left. */
export type RefundWish = { pieces?: Units[]; kobo?: number; withShipping?: boolean; restock?: boolean };

/** Whether the wish names nothing, and so means all that is left. */
export function isForAll({ pieces, kobo, withShipping }: RefundWish): boolean {
  return !pieces?.length && kobo === undefined && !withShipping;
}

/** What a refund covers. */
type Part = { pieces: readonly Units[]; withShipping: boolean };

/** A sale, and what of it is refunded or being refunded. */
export type Refundable = {
  lines: readonly (Units & { priceCents: number })[];
  subtotalCents: number;
  shippingCents: number;
  rate: Rate;
  /** `kobo` is the order's charge. `paidKobo` is more than that if the shopper paid the provider's fees. */
  kobo: number;
  paidKobo: number;
  backKobo: number;
  backPieces: readonly Units[];
  isShippingBack: boolean;
  /** The failed refunds, which can still be tried again. */
  failed?: readonly Part[];
  /** Pieces in an open return: they are refunded with the return. */
  returningPieces?: readonly Units[];
  /** Pieces that came back in exchange for another size or colour, which the shopper now has. */
  exchangedPieces?: readonly Units[];
  /** Pieces that a refund put back into stock, although the refund itself did not succeed. */
  restockedPieces?: readonly Units[];
};

export type RefundPlan = {
  ok: true;
  kobo: Kobo;
  pieces: Units[];
  withShipping: boolean;
  restock: boolean;
  /** Whether nothing of the order's charge is left after this refund. */
  isWhole: boolean;
};
export type NoRefund = { ok: false; problem: string };

/** Plans the refund that a wish asks for, or says why it is not possible. */
export function planRefund(sale: Refundable, wish: RefundWish): RefundPlan | NoRefund {
  const left = sale.paidKobo - sale.backKobo;
  if (left <= 0) return no("Its money has gone back, or is on its way back already");
  const isAll = isForAll(wish);
  const pieces = isAll ? remaining(sale) : merged(wish.pieces ?? []);
  const withShipping = isAll ? !sale.isShippingBack : (wish.withShipping ?? false);
  const problem = problemWith(sale, wish, pieces);
  if (problem) return no(problem);
  const sum = isAll ? left : (wish.kobo ?? sumOf(sale, pieces, withShipping));
  if (sum > left) return no(`Only ${formatKobo(kobo(left))} of what was paid are left to go back`);
  if (sum <= 0) return no("Nothing is left of what was paid for it");
  const restock = (wish.restock ?? false) && pieces.length > 0;
  const isWhole = sale.backKobo + sum >= sale.kobo;
  if (!replacedBy({ pieces, withShipping, isWhole }, sale.failed ?? []))
    return no(
      "A refund of some of that, and of more, has failed: have it tried again, or give back all of that with this one",
    );
  return { ok: true, kobo: kobo(sum), pieces, withShipping, restock, isWhole };
}

/**
 * The failed refunds that this refund covers in full and therefore replaces. Undefined if a failed refund is covered
 * only in part.
 */
export function replacedBy<One extends Part>(
  { pieces, withShipping, isWhole }: Pick<RefundPlan, "pieces" | "withShipping" | "isWhole">,
  failed: readonly One[],
): One[] | undefined {
  if (isWhole) return [...failed];
  const left = counts(pieces);
  let isShippingLeft = withShipping;
  const shares = (one: One) =>
    (one.withShipping && isShippingLeft) || one.pieces.some((piece) => (left.get(keyOf(piece)) ?? 0) > 0);
  const replaced = failed.filter((one) => {
    const wanted = [...counts(one.pieces)];
    const hasAll = wanted.every(([key, count]) => (left.get(key) ?? 0) >= count);
    if (!shares(one) || !hasAll || (one.withShipping && !isShippingLeft)) return false;
    for (const [key, count] of wanted) left.set(key, (left.get(key) ?? 0) - count);
    if (one.withShipping) isShippingLeft = false;
    return true;
  });
  return failed.some((one) => !replaced.includes(one) && shares(one)) ? undefined : replaced;
}

/**
 * The charge for shipping that a return may still refund. 0 if the shipping is refunded, or is part of a failed refund
 * that may be tried again.
 */
export function shippingLeft(sale: Refundable): number {
  const isTaken = sale.isShippingBack || sale.failed?.some(({ withShipping }) => withShipping);
  return isTaken ? 0 : shippingKobo(sale);
}

/** The charge for shipping, rounded down: the sum by which the order's charge was rounded up belongs to the goods. */
export function shippingKobo({
  kobo,
  shippingCents,
  rate,
}: Pick<Refundable, "kobo" | "shippingCents" | "rate">): number {
  return Math.min(kobo, Number((BigInt(shippingCents) * rate) / 1_000_000n));
}

/**
 * The sum to refund for these pieces: the value of all refunded pieces including these, minus the value without these,
 * each rounded down. So all pieces add up to exactly the charge for the goods, in whatever order they are refunded. The
 * charge for shipping is kept until the shipping itself is refunded: after refunds of plain sums, less may be left for
 * the pieces.
 */
function sumOf(sale: Refundable, pieces: Units[], withShipping: boolean): number {
  const shipping = shippingKobo(sale);
  const goods = BigInt(sale.kobo - shipping);
  const share = (units: readonly Units[]) =>
    sale.subtotalCents === 0 ? 0 : Number((goods * BigInt(centsOf(sale, units))) / BigInt(sale.subtotalCents));
  const worth = share([...sale.backPieces, ...pieces]) - share(sale.backPieces);
  const kept = withShipping || sale.isShippingBack ? 0 : shipping;
  return Math.min(worth + (withShipping ? shipping : 0), sale.kobo - sale.backKobo - kept);
}

/**
 * The price of these pieces in cents. If lines of one size differ in price, the pieces of the first line count first.
 */
function centsOf({ lines }: Refundable, units: readonly Units[]): number {
  const left = counts(units);
  return lines.reduce((cents, line) => {
    const taken = Math.min(line.quantity, left.get(keyOf(line)) ?? 0);
    left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) - taken);
    return cents + taken * line.priceCents;
  }, 0);
}

function problemWith(sale: Refundable, wish: RefundWish, pieces: Units[]): string | undefined {
  if (isForAll(wish) && sale.returningPieces?.length)
    return "A return of it is open: give its money back with 'returns refund', or decline it, or say which pieces or sum go back";
  const left = counts(remaining(sale));
  const bought = counts(sale.lines);
  const exchanged = counts(sale.exchangedPieces ?? []);
  const restocked = counts(sale.restockedPieces ?? []);
  for (const piece of pieces) {
    const what = `'${piece.productId}' in ${piece.size}`;
    const count = left.get(keyOf(piece)) ?? 0;
    if (!bought.has(keyOf(piece))) return `${what} isn’t in this order`;
    if (wish.restock && exchanged.has(keyOf(piece)))
      return `Some of ${what} were exchanged for another size or colour: say with 'stock add' what is in stock again`;
    if (wish.restock && restocked.has(keyOf(piece)))
      return `Some of ${what} are in stock again since a refund that didn’t come through: have that one tried again, or leave the stock as it is`;
    if (count < piece.quantity) return `Of ${what} only ${count} of ${bought.get(keyOf(piece))} can still go back`;
  }
  if (wish.withShipping && wish.kobo !== undefined) return "A sum says all that goes back: leave the shipping out";
  if (wish.withShipping && sale.isShippingBack) return "Its shipping has gone back already";
  if (wish.withShipping && shippingKobo(sale) === 0) return "Nothing was paid for its shipping";
  const isOnlyMoney = !pieces.length && (wish.kobo !== undefined || wish.withShipping);
  if (wish.restock && isOnlyMoney) return "Say which pieces are in stock again";
  return;
}

function remaining({ lines, backPieces, returningPieces = [] }: Refundable): Units[] {
  const back = counts([...backPieces, ...returningPieces]);
  return merged(lines)
    .map((unit) => ({ ...unit, quantity: unit.quantity - (back.get(keyOf(unit)) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}

function merged(units: readonly Units[]): Units[] {
  const sums = counts(units);
  const firsts = new Map(units.toReversed().map((unit) => [keyOf(unit), unit]));
  return [...sums].flatMap(([key, quantity]) => {
    const unit = firsts.get(key);
    return unit ? [{ productId: unit.productId, size: unit.size, quantity }] : [];
  });
}

function counts(units: readonly Units[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const unit of units) sums.set(keyOf(unit), (sums.get(keyOf(unit)) ?? 0) + unit.quantity);
  return sums;
}

function keyOf({ productId, size }: { productId: string; size: string }): string {
  return `${productId} ${size}`;
}

function no(problem: string): NoRefund {
  return { ok: false, problem };
}
