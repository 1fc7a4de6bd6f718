import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import type { FoundReturn } from "#app/owner/returns/search.server.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Day, Time } from "../frame/times.tsx";

const COLUMNS: Column<FoundReturn>[] = [
  { head: "Return", tone: "strong", cell: ({ number }) => <span className="tabular-nums">{number}</span> },
  { head: "Asked", tone: "muted", cell: ({ askedAt }) => <Time at={askedAt} /> },
  { head: "Customer", cell: ({ customer, email }) => customer || email },
  {
    head: "Piece and reason",
    cell: ({ what, why }) => (
      <span className="inline-block max-w-110 truncate align-bottom">
        {what} · <span className="text-muted">{why}</span>
      </span>
    ),
  },
  { head: "State", slot: "state", cell: ({ standing }) => <State tone={standing.tone}>{standing.text}</State> },
  {
    head: "Until",
    cell: ({ dueBy, isOverdue }) =>
      dueBy ? (
        <span className={isOverdue ? "font-medium text-error" : ""}>
          <Day on={dueBy} />
        </span>
      ) : (
        "–"
      ),
  },
  { head: "Naira", slot: "sum", align: "end", tone: "strong", cell: (one) => formatKobo(kobo(one.kobo)) },
];

const NARROW = {
  lead: ({ customer, email }: FoundReturn) => customer || email,
  about: ({ what, why }: FoundReturn) => `${what} · ${why}`,
};

type Props = {
  label: string;
  returns: FoundReturn[];
  /** The heads of the columns to show. Without it, all are shown. */
  columns?: string[];
};

/** A table of returns and exchanges that link to their pages. */
export function ReturnsTable({ label, returns, columns }: Props) {
  return (
    <Table
      label={label}
      rows={returns}
      idOf={({ number }) => number}
      href={({ number }) => `/returns/${number}`}
      columns={columns ? COLUMNS.filter(({ head }) => columns.includes(head)) : COLUMNS}
      narrow={NARROW}
    />
  );
}
