import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { PackedOrder } from "#app/owner/orders/packing.server.ts";
import type { FoundOrder } from "#app/owner/orders/search.server.ts";
import { State } from "../frame/state.tsx";
import { type Choosing, type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";
import { RowTags } from "../tags/tags.tsx";

/** An order of a list. Members who may only pack get no sums and no tags. */
export type ListedOrder = PackedOrder & Partial<Pick<FoundOrder, "kobo" | "cents" | "tags">>;

const COLUMNS: Column<ListedOrder>[] = [
  { head: "Order", tone: "strong", cell: ({ number }) => <span className="tabular-nums">{number}</span> },
  { head: "Placed", tone: "muted", cell: ({ orderedAt }) => <Time at={orderedAt} /> },
  {
    head: "Customer",
    cell: ({ customer, tags }) => (
      <>
        <span>{customer}</span>
        <RowTags words={tags} />
      </>
    ),
  },
  { head: "To", cell: ({ to }) => to },
  { head: "How", tone: "muted", cell: ({ how }) => how },
  { head: "Pieces", align: "end", cell: ({ pieces }) => pieces },
  { head: "State", slot: "state", cell: ({ standing }) => <State tone={standing.tone}>{standing.text}</State> },
  { head: "Naira", slot: "sum", align: "end", tone: "strong", cell: (order) => formatKobo(kobo(order.kobo ?? 0)) },
  { head: "Dollars", align: "end", tone: "muted", cell: ({ cents }) => formatUsd(usdCents(cents ?? 0)) },
];

const SUMS = ["Naira", "Dollars"];

const NARROW = {
  lead: ({ customer, number }: ListedOrder) => customer || number,
  about: ({ number, to, pieces, tags = [] }: ListedOrder) => [number, to, `${pieces} pc`, ...tags].join(" · "),
};

type Props = {
  label: string;
  orders: ListedOrder[];
  choosing?: Choosing;
  /** The heads of the columns to show. Without it, all are shown. */
  columns?: string[];
};

/** A table of orders that link to their pages. */
export function OrdersTable({ label, orders, choosing, columns }: Props) {
  const hasSums = orders.some((order) => order.kobo !== undefined);
  const shown = COLUMNS.filter(({ head }) => columns?.includes(head) ?? (hasSums || !SUMS.includes(head)));
  return (
    <Table
      label={label}
      rows={orders}
      idOf={({ number }) => number}
      nameOf={({ number, customer }) => `${number}, ${customer}`}
      href={({ number }) => `/orders/${number}`}
      columns={shown}
      narrow={NARROW}
      choosing={choosing}
    />
  );
}
