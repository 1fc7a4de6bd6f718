import { isDeepStrictEqual } from "node:util";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { type Numbers, orderNumbers } from "#app/numbers/numbers.ts";
import type { OrderLine } from "#db/types.ts";
import { lockOrder } from "../lifecycle.server.ts";
import { exchangeSizes } from "./exchange.server.ts";
import { NUMBERS } from "./numbers.server.ts";
import { lockReturn, moveReturn, piecesBack, tellOfReturn } from "./rows.server.ts";
import type { Returnable, ReturnRequest } from "./rules.ts";
import {
  bySize,
  type Delivery,
  deliveryOf,
  type PlannedReturn,
  planReturn,
  returnablePieces,
  returnDeadlines,
  type WantedPiece,
} from "./rules.ts";

/** Why nothing of an order can be returned at present. */
export type NotReturnable = "not-sold" | "not-sent" | "came-back" | "too-late" | "nothing-left";
export type ReturnOffer = { lines: OrderLine[]; until: string } & Pick<Returnable, "sizes" | "deadlines">;

/**
 * The pieces of a shopper's order that can be returned now, with the sizes and colours for which they can be exchanged,
 * or the reason why none can. Undefined if the order is not a sale of this account.
 */
export async function readReturnOffer(
  on: Db | Transaction,
  userId: string,
  reference: string,
  now = new Date(),
): Promise<{ ok: true; reference: string; offer: ReturnOffer } | { ok: false; why: NotReturnable } | undefined> {
  const sale = await on
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .select(["sales.reference", "orders.state", "orders.lines", "orders.shipping"])
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt", NUMBERS.as("numbers")])
    .where("orders.userId", "=", userId)
    .where("orders.trial", "=", false)
    .where("orders.id", "=", (eb) =>
      eb.selectFrom("payments").select("orderId").where("payments.reference", "=", reference),
    )
    .executeTakeFirst();
  if (!sale) return;
  if (sale.state !== "sold") return { ok: false, why: "not-sold" };
  if (sale.returnedAt) return { ok: false, why: "came-back" };
  const numbers = orderNumbers(sale.numbers);
  const delivery = deliveryOf(sale, env.SHOP_TIMEZONE, numbers);
  if (!delivery) return { ok: false, why: "not-sent" };
  return offerOf(on, sale, delivery, numbers, now);
}

type Sale = { reference: string; lines: OrderLine[] };

async function offerOf(
  on: Db | Transaction,
  { reference, lines: all }: Sale,
  delivery: Delivery,
  numbers: Numbers,
  now: Date,
) {
  const lines = returnablePieces(bySize(all), await piecesBack(on, reference)).filter(({ quantity }) => quantity > 0);
  const deadlines = returnDeadlines(delivery, now, env.SHOP_TIMEZONE, numbers);
  if (lines.length === 0) return { ok: false as const, why: "nothing-left" as const };
  if (!deadlines.isOpen) return { ok: false as const, why: "too-late" as const };
  const sizes = (await exchangeSizes(on, lines)).map(({ onHand: _, ...size }) => size);
  return {
    ok: true as const,
    reference,
    offer: { lines, sizes, deadlines, until: deadlines.until.toString() },
  };
}

export type Asked =
  | { ok: true; numbers: string[] }
  | { ok: false; why: NotReturnable }
  | Extract<PlannedReturn, { ok: false }>;

/**
 * Records a shopper's request for a return and confirms it by mail. Undefined if the order is not a sale of this
 * account. A repeated request returns the numbers of the first one.
 */
export function askReturn(
  on: Db,
  userId: string,
  given: string,
  request: ReturnRequest,
  now = new Date(),
): Promise<Asked | undefined> {
  return retryingTransaction(on, async (trx): Promise<Asked | undefined> => {
    const known = await readReturnOffer(trx, userId, given, now);
    if (!known) return;
    const { order } = await lockOrder(trx, given);
    const already = await sameRequest(trx, order.id, request);
    if (already) return { ok: true, numbers: already };
    const seen = await readReturnOffer(trx, userId, given, now);
    if (!seen?.ok) return seen;
    const plan = planReturn(seen.offer, request);
    if (!plan.ok) return plan;
    const { reason, words } = request;
    const numbers: string[] = [];
    for (const { wish, pieces } of plan.parts) {
      const row = await trx
        .insertInto("returns")
        .values({ reference: seen.reference, reason, wish, words: words.trim() })
        .returning(["id", "number", "reference", "wish", "sendBack"])
        .executeTakeFirstOrThrow();
      await trx
        .insertInto("returnPieces")
        .values(pieces.map((piece) => ({ ...piece, returnId: row.id })))
        .execute();
      await tellOfReturn(trx, { ...row, pieces: [...pieces], order }, "asked");
      numbers.push(row.number);
    }
    return { ok: true, numbers };
  });
}

/**
 * The numbers of the returns that an equal request has made since the form was shown. A form may be sent twice, for
 * example after a lost response. Undefined if there are none.
 */
async function sameRequest(trx: Transaction, orderId: string, request: ReturnRequest): Promise<string[] | undefined> {
  const { after, reason, words } = request;
  if (after === undefined) return;
  const all = await trx
    .selectFrom("returns")
    .innerJoin("payments", "payments.reference", "returns.reference")
    .select(["returns.id", "number", "reason", "words", "returns.state", "askedAt"])
    .where("payments.orderId", "=", orderId)
    .orderBy("counted")
    .execute();
  const isSame = (one: (typeof all)[number]) =>
    one.reason === reason && one.words === words.trim() && one.state !== "withdrawn";
  // `asked_at` is the time of the transaction, so it is the same for all returns of one request.
  const requests = Map.groupBy(all.slice(after).filter(isSame), ({ askedAt }) => askedAt.getTime());
  for (const rows of requests.values()) {
    const pieces = await trx
      .selectFrom("returnPieces")
      .select(["productId", "size", "quantity", "newProductId", "newSize"])
      .where(
        "returnId",
        "in",
        rows.map(({ id }) => id),
      )
      .execute();
    if (isDeepStrictEqual(inOrder(pieces), inOrder(request.pieces))) return rows.map(({ number }) => number);
  }
  return;
}

type StoredPiece = Omit<WantedPiece, "newProductId"> & { newProductId?: string | null };

const inOrder = (pieces: readonly StoredPiece[]) =>
  pieces.map((one) => [one.productId, one.size, one.quantity, one.newProductId, one.newSize].join()).sort();

/** Withdraws a shopper's return. False if it is another shopper's, or can no longer be withdrawn. */
export function withdrawReturn(on: Db, userId: string, number: string): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const found = await lockReturn(trx, number);
    if (!found || found.order.userId !== userId) return false;
    if (!(await moveReturn(trx, found, "withdraw", { endedAt: new Date() }))) return false;
    await tellOfReturn(trx, found, "withdrawn");
    return true;
  });
}
