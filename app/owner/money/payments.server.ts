import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import type { Keyset } from "../order-search.server.ts";
import type { PaymentState } from "./payments.ts";

export type PaymentSearch = {
  /** The beginning of a reference, or an order's number. */
  text?: string;
  state?: PaymentState;
  /** Those alone of which the provider says something else than the shop. */
  differing?: boolean;
  from?: Date;
  until?: Date;
};

/** A payment as the shop has it, beside what the provider last said of it. Sums are in kobo. */
export type FoundPayment = {
  reference: string;
  number: string;
  begunAt: Date;
  state: PaymentState;
  kobo: number;
  backKobo: number;
  onItsWayKobo: number;
  provider: { status: string | null; kobo: number | null; currency: string | null; backKobo: number | null };
  differs: boolean;
};

const PAGE = 50;

/** To the microsecond, and for several payments of one order by their references. */
const PLACE = sql<string>`(extract(epoch from orders.created_at) * 1000000)::bigint || '_' || orders.id || '_' || payments.reference`;

/** A page of payments that fit, those of the newest order first. `older` and `newer` begin the next pages, where there are any. */
export async function searchPayments(on: Db, search: PaymentSearch, { before, after }: Keyset = {}) {
  const { text, state, differing, from, until } = search;
  const edge = readPlace(before ?? after);
  const isBackwards = edge !== undefined && before === undefined;
  const way = isBackwards ? "asc" : "desc";
  const found = await on
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select(["payments.reference", "orders.number", "payments.createdAt as begunAt", "payments.state", "payments.kobo"])
    .select(["refundedKobo", "refundingKobo", "providerStatus", "paidKobo", "paidCurrency", "providerRefundedKobo"])
    .select(["payments.differs", PLACE.as("place")])
    .$if(text !== undefined, (query) => query.where(named(text ?? "")))
    .$if(state !== undefined, (query) => query.where("payments.state", "=", state as PaymentState))
    .$if(differing === true, (query) => query.where("payments.differs", "=", true))
    .$if(from !== undefined, (query) => query.where("orders.createdAt", ">=", from as Date))
    .$if(until !== undefined, (query) => query.where("orders.createdAt", "<", until as Date))
    .$if(edge !== undefined, (query) => query.where(beyond(edge, isBackwards)))
    .orderBy("orders.createdAt", way)
    .orderBy("orders.id", way)
    .orderBy("payments.reference", way)
    .limit(PAGE + 1)
    .execute();
  const isMore = found.length > PAGE;
  const page = found.slice(0, PAGE);
  if (isBackwards) page.reverse();
  const [first, last] = [page.at(0), page.at(-1)];
  return {
    payments: page.map(
      ({ place: _, refundedKobo, refundingKobo, providerStatus, paidKobo, paidCurrency, ...row }): FoundPayment => ({
        reference: row.reference,
        number: row.number,
        begunAt: row.begunAt,
        state: row.state,
        differs: row.differs,
        kobo: Number(row.kobo),
        backKobo: Number(refundedKobo),
        onItsWayKobo: Number(refundingKobo),
        provider: {
          status: providerStatus,
          kobo: orNull(paidKobo),
          currency: paidCurrency,
          backKobo: orNull(row.providerRefundedKobo),
        },
      }),
    ),
    newer: first && (isBackwards ? isMore : edge !== undefined) ? first.place : undefined,
    older: last && (isBackwards || isMore) ? last.place : undefined,
  };
}

const orNull = (sum: string | null) => (sum === null ? null : Number(sum));

/** By its place in the order of order and payment; the row that it names is left out. */
function beyond(edge: Edge | undefined, isBackwards: boolean) {
  const at = sql`to_timestamp(0) + ${edge?.microseconds}::bigint * interval '1 microsecond'`;
  const place = sql`(${at}, ${edge?.order}::uuid, ${edge?.reference}::text)`;
  const row = sql`(orders.created_at, orders.id, payments.reference)`;
  // Said of the order alone, too: it is found by the index of the newest.
  return isBackwards
    ? sql<boolean>`orders.created_at >= ${at} and ${row} > ${place}`
    : sql<boolean>`orders.created_at <= ${at} and ${row} < ${place}`;
}

function named(text: string) {
  const number = readOrderNumber(text);
  if (number) return sql<boolean>`orders.number = ${number}`;
  return sql<boolean>`starts_with(payments.reference, ${text.trim()})`;
}

type Edge = { microseconds: string; order: string; reference: string };

function readPlace(text = ""): Edge | undefined {
  const [, microseconds, order, reference] = /^(\d{1,17})_([0-9a-f-]{36})_([\w.=-]{16,64})$/.exec(text) ?? [];
  return microseconds && order && reference ? { microseconds, order, reference } : undefined;
}
