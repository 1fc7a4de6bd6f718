import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { isReached } from "#app/infra/mail.server.ts";
import { orderNumbers } from "#app/numbers/numbers.ts";
import { exchangeSizes } from "#app/orders/returns/exchange.server.ts";
import { LIVE_RETURNS } from "#app/orders/returns/state.ts";
import { refundableOf } from "#app/payments/refunds/refund-sale.server.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import type { OrderLine } from "#db/types.ts";
import { type Happening, refundHappenings } from "../orders/happening.ts";
import { actsOnReturn } from "./acts.server.ts";
import { mailTexts, returnsHistory } from "./history.server.ts";
import { isOverdueSql, wholeReturn, withDueDay } from "./list.server.ts";
import { returnPolicy } from "./policy.ts";
import { lineOf, returnStanding } from "./standing.ts";

/**
 * A return as the staff see it, by its number. Undefined if there is none. `acts` are all acts of staff on it, and
 * `version` is the last one.
 */
export async function viewReturn(on: Db, number: string) {
  const row = await wholeReturn(on, number)
    .innerJoin("payments as paid", "paid.reference", "returns.reference")
    .select(["returns.id", "returns.refundId", "orders.subtotalCents", "orders.shippingCents"])
    .select(["orders.state as orderState", "orders.userId", "packedAt", "fulfilledAt", "readyAt", "deliveredAt"])
    .select(["returnedAt", "paid.provider", "paid.refundedKobo", "paid.refundingKobo", "paid.providerRefundedKobo"])
    .select(sql<boolean>`coalesce(${isOverdueSql()}, false)`.as("isOverdue"))
    .executeTakeFirst();
  if (!row) return;
  const { id, refundId, refundedKobo, refundingKobo, providerRefundedKobo, orderState, ...rest } = row;
  const { pieces, reference } = row;
  const isLive = LIVE_RETURNS.includes(row.state);
  const refundable = isLive && orderState === "sold" ? await refundableOf(on, reference, row, id) : undefined;
  const acts = await actsOnReturn(on, number);
  const numbers = orderNumbers(row.numbers);
  const isFinalSale = pieces.some((piece) => lineOf(row.lines, piece)?.finalSale);
  return {
    ...withDueDay(rest),
    standing: returnStanding(row),
    hasEmail: isReached(row.email),
    policy: returnPolicy({ ...row, isFinalSale }, env.SHOP_TIMEZONE, numbers),
    numbers,
    // `exchangedPieces` is emptied, because the pieces of a return are as they were bought: an exchanged piece cannot
    // be returned again.
    refundable: refundable && { ...refundable, exchangedPieces: [] },
    sizes: await exchangeSizes(on, pieces),
    refundedKobo: Number(refundedKobo),
    refundingKobo: Number(refundingKobo),
    providerRefundedKobo: providerRefundedKobo === null ? null : Number(providerRefundedKobo),
    happenings: await happeningsOf(on, row),
    version: acts.at(-1)?.id ?? "0",
    acts,
  };
}

export type ViewedReturn = NonNullable<Awaited<ReturnType<typeof viewReturn>>>;

type ShownReturn = {
  number: string;
  reference: string;
  provider: string | null;
  lines: OrderLine[];
  refundId: string | null;
};

async function happeningsOf(
  on: Db,
  { number, reference, refundId, provider, lines }: ShownReturn,
): Promise<Happening[]> {
  const own = (await returnsHistory(on, [reference])).find((one) => one.number === number);
  const all = (own?.happenings ?? []).map(
    ({ to, by, ...one }): Happening => ({ ...one, by: by === number ? undefined : by }),
  );
  if (refundId) {
    const refund = await on.selectFrom("refunds").selectAll().where("id", "=", refundId).executeTakeFirstOrThrow();
    const name = provider === null ? undefined : descriptionOf(provider).name;
    const mails = await mailTexts(on, [`refund:${refundId}`, `refund-done:${refundId}`]);
    all.push(...refundHappenings(lines, refund, name, own?.refundedBy, (key) => mails.get(key)));
  }
  return all.sort((a, b) => b.at.getTime() - a.at.getTime());
}
