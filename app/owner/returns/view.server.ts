import { sql } from "kysely";
import { inOrder } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { SizeOnSale } from "#app/orders/returns/rules.ts";
import { LIVE_RETURNS } from "#app/orders/returns/state.ts";
import { refundableOf } from "#app/payments/reject.server.ts";
import type { OrderLine } from "#db/types.ts";
import { type Happening, refundHappenings } from "../orders/happening.ts";
import { actsOnReturn } from "./acts.server.ts";
import { mailTexts, returnsHistory } from "./history.server.ts";
import { isOverdueIn, ownersReturns, withDueDay } from "./list.server.ts";
import { returnPolicy } from "./policy.ts";
import { lineOf, returnStanding } from "./standing.ts";

/** A return as staff see it, by its number; undefined where there is none. `version` is the last thing that staff have done to it, `acts` is all of it. */
export async function viewReturn(on: Db, number: string) {
  const row = await ownersReturns(on)
    .innerJoin("payments as paid", "paid.reference", "returns.reference")
    .select([
      "returns.id",
      "returns.words",
      "returns.answer",
      "returns.carrier",
      "returns.tracking",
      "returns.refundId",
    ])
    .select(["orders.lines", "orders.shipping", "orders.rate", "orders.subtotalCents", "orders.shippingCents"])
    .select(["orders.state as orderState", "orders.userId", "packedAt", "fulfilledAt", "readyAt", "deliveredAt"])
    .select(["returnedAt", "paid.refundedKobo", "paid.refundingKobo", "paid.providerRefundedKobo"])
    .select(sql<boolean>`coalesce(${isOverdueIn()}, false)`.as("isOverdue"))
    .select(
      sql<string[]>`array(select id::text from return_pictures where return_id = returns.id order by place)`.as(
        "pictures",
      ),
    )
    .where("returns.number", "=", number)
    .executeTakeFirst();
  if (!row) return;
  const { id, refundId, refundedKobo, refundingKobo, providerRefundedKobo, orderState, ...rest } = row;
  const { pieces, reference } = row;
  const isLive = LIVE_RETURNS.includes(row.state);
  const refundable = isLive && orderState === "sold" ? await refundableOf(on, reference, row, id) : undefined;
  const acts = await actsOnReturn(on, number);
  const isFinalSale = pieces.some((piece) => lineOf(row.lines, piece)?.finalSale);
  return {
    ...withDueDay(rest),
    standing: returnStanding(row),
    policy: returnPolicy({ ...row, isFinalSale }, env.SHOP_TIMEZONE),
    // What came back is as it was bought: an exchanged piece is in no second return.
    refundable: refundable && { ...refundable, exchangedPieces: [] },
    sizes: await sizesOf(
      on,
      pieces.map(({ productId }) => productId),
    ),
    refundedKobo: Number(refundedKobo),
    refundingKobo: Number(refundingKobo),
    providerRefundedKobo: providerRefundedKobo === null ? null : Number(providerRefundedKobo),
    happenings: await happeningsOf(on, row),
    version: acts.at(-1)?.id ?? "0",
    acts,
  };
}

export type ViewedReturn = NonNullable<Awaited<ReturnType<typeof viewReturn>>>;

type Told = { number: string; reference: string; lines: OrderLine[]; refundId: string | null };

async function happeningsOf(on: Db, { number, reference, refundId, lines }: Told): Promise<Happening[]> {
  const own = (await returnsHistory(on, [reference])).find((one) => one.number === number);
  const all = (own?.happenings ?? []).map(
    ({ to, by, ...one }): Happening => ({ ...one, by: by === number ? undefined : by }),
  );
  if (refundId) {
    const refund = await on.selectFrom("refunds").selectAll().where("id", "=", refundId).executeTakeFirstOrThrow();
    const mails = await mailTexts(on, [`refund:${refundId}`, `refund-done:${refundId}`]);
    all.push(...refundHappenings(lines, refund, own?.refundedBy, (key) => mails.get(key)));
  }
  return all.sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** The sizes of these products, and how many of each can be had and are on hand. */
async function sizesOf(on: Db, products: string[]): Promise<(SizeOnSale & { onHand: number })[]> {
  const rows = await on
    .selectFrom("productSizes")
    .select(["productId", "size", "onHand", sql<number>`on_hand - reserved`.as("available")])
    .where("productId", "in", products)
    .execute();
  return inOrder(rows);
}
