import { plural } from "#app/infra/text/plural.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import type { FoundCustomer } from "#app/owner/customers/search.server.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";
import { RowTags } from "../tags/tags.tsx";

const COLUMNS: Column<FoundCustomer>[] = [
  { head: "Customer", tone: "strong", cell: ({ name, email }) => name || email },
  {
    head: "Email",
    cell: ({ email, tags }) => (
      <>
        <span>{email}</span>
        <RowTags words={tags} />
      </>
    ),
  },
  { head: "Since", tone: "muted", cell: ({ since }) => <Time at={since} look="date" /> },
  {
    head: "Newsletter",
    slot: "state",
    cell: ({ newsletter }) => (newsletter ? <State tone="done">Newsletter</State> : null),
  },
  {
    head: "Last order",
    tone: "muted",
    cell: ({ lastOrderAt }) => lastOrderAt && <Time at={lastOrderAt} look="date" />,
  },
  { head: "Orders", align: "end", cell: ({ orders }) => orders },
  {
    head: "Spent",
    slot: "sum",
    align: "end",
    tone: "strong",
    cell: ({ orders, spentKobo }) => (orders > 0 ? formatKobo(kobo(spentKobo)) : "–"),
  },
];

const NARROW = {
  lead: ({ name, email }: FoundCustomer) => name || email,
  about: ({ email, orders, tags }: FoundCustomer) => [plural(orders, "order"), email, ...tags].join(" · "),
};

/** A table of customers that link to their pages. */
export function CustomersTable({ customers }: { customers: FoundCustomer[] }) {
  return (
    <Table
      label="Customers"
      rows={customers}
      idOf={({ id }) => id}
      href={({ id }) => `/customers/${encodeURIComponent(id)}`}
      columns={COLUMNS}
      narrow={NARROW}
    />
  );
}
