import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { FoundOrder } from "#app/owner/order-search.server.ts";
import { State } from "../frame/state.tsx";
import { type Choosing, type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";

const COLUMNS: Column<FoundOrder>[] = [
  { head: "Order", tone: "strong", cell: ({ number }) => <span className="tabular-nums">{number}</span> },
  { head: "Placed", tone: "muted", cell: ({ placedAt }) => <Time at={placedAt} /> },
  { head: "Customer", cell: ({ customer }) => customer },
  { head: "To", cell: ({ to }) => to },
  { head: "How", tone: "muted", cell: ({ how }) => how },
  { head: "Pieces", align: "end", cell: ({ pieces }) => pieces },
  { head: "State", slot: "state", cell: ({ standing }) => <State tone={standing.tone}>{standing.text}</State> },
  { head: "Naira", slot: "sum", align: "end", tone: "strong", cell: (order) => formatKobo(kobo(order.kobo)) },
  { head: "Dollars", align: "end", tone: "muted", cell: ({ cents }) => formatUsd(usdCents(cents)) },
];

const NARROW = {
  lead: ({ customer, number }: FoundOrder) => customer || number,
  about: ({ number, to, pieces }: FoundOrder) => `${number} · ${to} · ${pieces} pc`,
};

type Props = {
  label: string;
  orders: FoundOrder[];
  choosing?: Choosing;
  /** These alone, by their heads. */
  columns?: string[];
};

/** Orders, each with the way to its page. */
export function OrdersTable({ label, orders, choosing, columns }: Props) {
  return (
    <Table
      label={label}
      rows={orders}
      idOf={({ number }) => number}
      nameOf={({ number, customer }) => `${number}, ${customer}`}
      href={({ number }) => `/orders/${number}`}
      columns={columns ? COLUMNS.filter(({ head }) => columns.includes(head)) : COLUMNS}
      narrow={NARROW}
      choosing={choosing}
    />
  );
}
