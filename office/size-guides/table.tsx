import { namesOfKinds } from "#app/catalog/product.ts";
import { sizeName } from "#app/catalog/sizes.ts";
import { plural } from "#app/infra/text/plural.ts";
import type { SizeGuideRow } from "#app/owner/size-guides/size-guides.server.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { useKinds } from "../kinds/context.ts";

/** A table of size guides that link to their pages. */
export function SizeGuidesTable({ guides }: { guides: SizeGuideRow[] }) {
  return (
    <Table
      label="Size guides"
      rows={guides}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      href={({ id }) => `/size-guides/${id}`}
      columns={COLUMNS}
      narrow={{ lead: ({ name }) => name, about: Places }}
    />
  );
}

const COLUMNS: Column<SizeGuideRow>[] = [
  { head: "Size guide", tone: "strong", cell: ({ name }) => name },
  { head: "For", cell: Places },
  { head: "Measures", tone: "muted", cell: ({ measures }) => measures.map(({ name }) => name).join(", ") },
  { head: "Sizes", cell: ({ sizes }) => sizes.map(({ size }) => sizeName(size)).join(", ") },
  { head: "State", slot: "state", cell: GuideState },
];

/** What a guide is for, such as "Tees, 2 collections, 1 product". */
function Places({ kinds, collections, products }: SizeGuideRow) {
  const parts = [
    ...namesOfKinds(useKinds(), kinds),
    collections > 0 && plural(collections, "collection"),
    products > 0 && plural(products, "product"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** A guide without a kind, collection or product is on no page. */
function GuideState({ kinds, collections, products }: SizeGuideRow) {
  const isUsed = kinds.length + collections + products > 0;
  return isUsed ? <State tone="done">In use</State> : <State tone="waiting">For nothing yet</State>;
}
