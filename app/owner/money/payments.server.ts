import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { type Keyset, newestFirst } from "../keyset.server.ts";
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

/** A page of payments that fit, those of the newest order first. `older` and `newer` begin the next pages, where there are any. */
export async function searchPayments(on: Db, search: PaymentSearch, keyset: Keyset = {}) {
  const { text, state, differing, from, until } = search;
  const { place, where, direction, pageOf } = newestFirst("orders.createdAt", "payments.reference", "text", keyset);
  const found = await on
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select(["payments.reference", "orders.number", "payments.createdAt as begunAt", "payments.state", "payments.kobo"])
    .select(["refundedKobo", "refundingKobo", "providerStatus", "paidKobo", "paidCurrency", "providerRefundedKobo"])
    .select(["payments.differs", place.as("place")])
    .$if(text !== undefined, (query) => query.where(named(text ?? "")))
    .$if(state !== undefined, (query) => query.where("payments.state", "=", state as PaymentState))
    .$if(differing === true, (query) => query.where("payments.differs", "=", true))
    .$if(from !== undefined, (query) => query.where("orders.createdAt", ">=", from as Date))
    .$if(until !== undefined, (query) => query.where("orders.createdAt", "<", until as Date))
    .where(where)
    .where(ofOrders(keyset))
    .orderBy("orders.createdAt", direction)
    .orderBy("payments.reference", direction)
    .limit(PAGE + 1)
    .execute();
  const { page, newer, older } = pageOf(found, PAGE);
  return { payments: page.map(toFound), newer, older };
}

/** The page's limit again, on the orders alone, which have an index for it. */
function ofOrders({ before, after }: Keyset) {
  const [, microseconds] = /^(\d{1,17})_/.exec(before ?? after ?? "") ?? [];
  if (!microseconds) return sql<boolean>`true`;
  const at = sql`to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond'`;
  return before ? sql<boolean>`orders.created_at <= ${at}` : sql<boolean>`orders.created_at >= ${at}`;
}

type Row = Pick<FoundPayment, "reference" | "number" | "begunAt" | "state" | "differs"> & {
  kobo: string;
  refundedKobo: string;
  refundingKobo: string;
  providerStatus: string | null;
  paidKobo: string | null;
  paidCurrency: string | null;
  providerRefundedKobo: string | null;
};

function toFound({ reference, number, begunAt, state, differs, kobo, ...row }: Row): FoundPayment {
  return {
    reference,
    number,
    begunAt,
    state,
    differs,
    kobo: Number(kobo),
    backKobo: Number(row.refundedKobo),
    onItsWayKobo: Number(row.refundingKobo),
    provider: {
      status: row.providerStatus,
      kobo: orNull(row.paidKobo),
      currency: row.paidCurrency,
      backKobo: orNull(row.providerRefundedKobo),
    },
  };
}

const orNull = (sum: string | null) => (sum === null ? null : Number(sum));

function named(text: string) {
  const number = readOrderNumber(text);
  if (number) return sql<boolean>`orders.number = ${number}`;
  return sql<boolean>`starts_with(payments.reference, ${text.trim()})`;
}
