import { plural } from "#app/infra/text/plural.ts";
import type { CollectionRow } from "#app/owner/collections/collections.server.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";

/** A table of collections that link to their pages. */
export function CollectionsTable({ collections }: { collections: CollectionRow[] }) {
  return (
    <Table
      label="Collections"
      rows={collections}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      href={({ id }) => `/collections/${id}`}
      columns={COLUMNS}
      narrow={{
        lead: ({ name }) => name,
        about: ({ products, hasRule }) => `${plural(products, "product")}${hasRule ? " and a rule" : ""}`,
      }}
    />
  );
}

const COLUMNS: Column<CollectionRow>[] = [
  { head: "Collection", tone: "strong", cell: ({ name }) => name },
  { head: "Address", tone: "muted", cell: ({ id }) => `/collections/${id}` },
  { head: "Products", align: "end", cell: ({ products }) => products },
  { head: "By a rule", cell: ({ hasRule }) => (hasRule ? "Yes" : "") },
  { head: "State", slot: "state", cell: CollectionState },
];

/** Whether the shop shows a collection. Without a product that is shown, its page is empty and nothing links to it. */
function CollectionState({ hidden, shown, hasRule }: CollectionRow) {
  if (hidden) return <State tone="rest">Hidden</State>;
  return shown > 0 || hasRule ? <State tone="done">Shown</State> : <State tone="waiting">Empty</State>;
}
