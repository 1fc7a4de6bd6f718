import { BadInput } from "#app/infra/bad-input.ts";
import { koboFromNaira } from "#app/money/money.ts";
import { REFUND_CAUSES, type RefundCause } from "#app/orders/refund-causes.ts";
import type { RefundWish } from "#app/orders/refund-plan.ts";
import { readUnits, type Units } from "#app/orders/units.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { proposeRefund, refundAgreed } from "#app/owner/orders/refunds/refunds.server.ts";
import { giveBackUnknownCharge, proposeUnknownCharge } from "#app/owner/orders/refunds/unknown-charge.server.ts";
import { badInput, type Context, type Result } from "../command.ts";
import { resultOf } from "./words.ts";

/** The options of `orders refund` that say what to give back. */
type RefundOptions = { piece?: string[]; amount?: string; "with-shipping"?: boolean; restock?: boolean };

export function wishOf({ piece = [], amount, "with-shipping": withShipping, restock }: RefundOptions): RefundWish {
  return {
    pieces: piece.map(readPiece),
    kobo: amount === undefined ? undefined : readNaira(amount),
    withShipping,
    restock,
  };
}

/** Reads pieces of one size as the owner types them, such as eko-jersey:M:1. Throws a BadInput for other text. */
export function readPiece(text: string): Units {
  const units = readUnits(text);
  if (!units) throw new BadInput(`'${text}' isn't a number of pieces. Write ID:SIZE:N, like eko-jersey:M:1`);
  return units;
}

/** Reads a sum in naira as the owner types it. Returns kobo. Throws a BadInput for other text. */
export function readNaira(text: string): number {
  const amount = koboFromNaira(text);
  if (!amount) throw new BadInput(`'${text}' isn't an amount in naira`);
  return amount;
}

/**
 * The reason for a refund, one of those that the office offers, in upper or lower case. Throws a BadInput for others.
 */
export function causeOf(reason: string | undefined): RefundCause | undefined {
  if (reason === undefined) return;
  const cause = REFUND_CAUSES.find((one) => one.toLowerCase() === reason.trim().toLowerCase());
  if (!cause) throw new BadInput(`'${reason}' isn't one of the reasons: ${REFUND_CAUSES.join(", ")}`);
  return cause;
}

/** Shows what would be refunded, asks for confirmation, and refunds it. */
export async function refund(
  { db, by, confirm }: Context,
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
