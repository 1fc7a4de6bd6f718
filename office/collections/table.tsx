import { plural } from "#app/infra/text/plural.ts";
import type { Showing } from "#app/owner/collections/collection.ts";
import type { CollectionRow } from "#app/owner/collections/collections.server.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";

export const SHOWING_TITLES: Record<Showing, string> = {
  hidden: "Hidden",
  planned: "Planned",
  shown: "Shown",
  over: "Over",
};

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
function CollectionState({ showing, startsAt, endsAt, shown, hasRule }: CollectionRow) {
  if (showing === "planned") return <State tone="going">{dated("From", startsAt)}</State>;
  if (showing !== "shown") return <State tone="rest">{SHOWING_TITLES[showing]}</State>;
  if (shown === 0 && !hasRule) return <State tone="waiting">Empty</State>;
  return <State tone="done">{endsAt ? dated("Until", endsAt) : SHOWING_TITLES.shown}</State>;
}

const dated = (word: string, at: Date | null) => (
  <span>
    {word} {at && <Time at={at} />}
  </span>
);
