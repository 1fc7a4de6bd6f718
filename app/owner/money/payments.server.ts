import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { type Keyset, pageOf } from "../keyset.server.ts";
import type { PaymentState } from "./payments.ts";

export type PaymentSearch = {
  /** The beginning of a reference, or an order's number. */
  text?: string;
  state?: PaymentState;
  /** Only payments whose state at the provider differs from the shop's. */
  differing?: boolean;
  from?: Date;
  until?: Date;
};

/** A payment in the shop's data, beside what the provider last reported. Sums are in kobo. */
export type FoundPayment = {
  reference: string;
  number: string;
  begunAt: Date;
  state: PaymentState;
  kobo: number;
  backKobo: number;
  onItsWayKobo: number;
  provider: {
    id: string;
    status: string | null;
    kobo: number | null;
    currency: string | null;
    backKobo: number | null;
  };
  differs: boolean;
};

const BY_TIME = { "orders.created_at": "time", "payments.reference": "text" } as const;

/** A page of the matching payments with real money, newest orders first. */
export async function searchPayments(on: Db, search: PaymentSearch, keyset: Keyset = {}) {
  const { text, state, differing, from, until } = search;
  const found = on
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select(["payments.reference", "orders.number", "payments.createdAt as begunAt", "payments.state", "payments.kobo"])
    .select("payments.provider")
    .select(["refundedKobo", "refundingKobo", "providerStatus", "paidKobo", "paidCurrency", "providerRefundedKobo"])
    .select("payments.differs")
    .where("orders.trial", "=", false)
    .$if(text !== undefined, (query) => query.where(isNamedSql(text ?? "")))
    .$if(state !== undefined, (query) => query.where("payments.state", "=", state as PaymentState))
    .$if(differing === true, (query) => query.where("payments.differs", "=", true))
    .$if(from !== undefined, (query) => query.where("orders.createdAt", ">=", from as Date))
    .$if(until !== undefined, (query) => query.where("orders.createdAt", "<", until as Date))
    .where(pageOfOrdersSql(keyset));
  const { rows, ...ends } = await pageOf(found, BY_TIME, keyset);
  return { rows: rows.map(toFound), ...ends };
}

/** Repeats the page's cursor as a condition on the orders' time alone, because that column has an index. */
function pageOfOrdersSql({ before, after }: Keyset) {
  const [, microseconds] = /^(\d{1,17})~/.exec(before ?? after ?? "") ?? [];
  if (!microseconds) return sql<boolean>`true`;
  const at = sql`to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond'`;
  return before ? sql<boolean>`orders.created_at <= ${at}` : sql<boolean>`orders.created_at >= ${at}`;
}

type Row = Pick<FoundPayment, "reference" | "number" | "begunAt" | "state" | "differs"> & {
  kobo: string;
  provider: string;
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
      id: row.provider,
      status: row.providerStatus,
      kobo: orNull(row.paidKobo),
      currency: row.paidCurrency,
      backKobo: orNull(row.providerRefundedKobo),
    },
  };
}

const orNull = (sum: string | null) => (sum === null ? null : Number(sum));

function isNamedSql(text: string) {
  const number = readOrderNumber(text);
  if (number) return sql<boolean>`orders.number = ${number}`;
  return sql<boolean>`starts_with(payments.reference, ${text.trim()})`;
}
