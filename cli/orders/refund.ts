import { BadInput } from "#app/infra/bad-input.ts";
import { centsFromDollars } from "#app/money/money.ts";
import { REFUND_CAUSES, type RefundCause } from "#app/orders/refund-causes.ts";
import type { RefundWish } from "#app/orders/refund-plan.ts";
import { readUnits, type Units } from "#app/orders/units.ts";
import { changeOrder } from "#app/owner/change-order.server.ts";
import { proposeRefund, refundAgreed } from "#app/owner/refunds.server.ts";
import { giveBackUnknownCharge, proposeUnknownCharge } from "#app/owner/unknown-charge.server.ts";
import { badInput, type Hand, type Result } from "../command.ts";
import { resultOf } from "./words.ts";

/** What `orders refund` is asked to give back. */
type RefundOptions = { piece?: string[]; amount?: string; "with-shipping"?: boolean; restock?: boolean };

export function wishOf({ piece = [], amount, "with-shipping": withShipping, restock }: RefundOptions): RefundWish {
  return {
    pieces: piece.map(readPiece),
    kobo: amount === undefined ? undefined : readNaira(amount),
    withShipping,
    restock,
  };
}

/** Pieces of a size as the owner types them; throws a BadInput otherwise. */
export function readPiece(text: string): Units {
  const units = readUnits(text);
  if (!units) throw new BadInput(`'${text}' names no pieces: say ID:SIZE:N, as in eko-jersey:M:1`);
  return units;
}

/** A sum as the owner types it, in kobo; throws a BadInput otherwise. */
export function readNaira(text: string): number {
  const amount = centsFromDollars(text); // hundredths are hundredths
  if (!amount) throw new BadInput(`'${text}' is no sum in naira`);
  return amount;
}

/** Why, in the words that the office has as well, however they are written. */
export function causeOf(reason: string | undefined): RefundCause | undefined {
  if (reason === undefined) return;
  const cause = REFUND_CAUSES.find((one) => one.toLowerCase() === reason.trim().toLowerCase());
  if (!cause) throw new BadInput(`'${reason}' is none of the reasons: ${REFUND_CAUSES.join(", ")}`);
  return cause;
}

/** Says what would go back, asks, and gives it back. */
export async function refund(
  { db, by, confirm }: Hand,
  reference: string,
  wish: RefundWish,
  cause?: RefundCause,
): Promise<Result> {
  const ofSale = await proposeRefund(db, reference, wish);
  const proposal = ofSale ?? (await proposeUnknownCharge(db, reference, wish));
  if (!proposal.ok) return badInput(proposal.problem);
  await confirm(proposal.question);
  if (ofSale?.ok) {
    const change = changeOrder(db, by, "orders refund", reference);
    return resultOf(reference, await change((trx) => refundAgreed(trx, reference, wish, ofSale.kobo, { cause })));
  }
  return resultOf(reference, await giveBackUnknownCharge(db, by, reference));
}
