import { TEXT_PAGES } from "#app/content/pages.ts";
import type { TextRow } from "#app/owner/texts/versions.server.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";

/** A table of the pages whose text can be changed. */
export function WordsTable({ pages }: { pages: TextRow[] }) {
  return (
    <Table
      label="Pages"
      rows={pages}
      idOf={({ page }) => page}
      nameOf={titleOf}
      href={({ page }) => `/words/${page}`}
      columns={COLUMNS}
      narrow={{ lead: titleOf, about: ({ last }) => last?.savedBy ?? "Never changed" }}
    />
  );
}

const titleOf = ({ page }: TextRow) => TEXT_PAGES[page].title;

const COLUMNS: Column<TextRow>[] = [
  { head: "Page", tone: "strong", cell: titleOf },
  { head: "Address", tone: "muted", cell: ({ page }) => TEXT_PAGES[page].path },
  { head: "State", slot: "state", cell: PageState },
  { head: "Changed", cell: ({ last }) => last && <Time at={last.savedAt} /> },
  { head: "By", cell: ({ last }) => last?.savedBy },
];

function PageState({ last, planned }: TextRow) {
  if (planned?.publishedAt)
    return (
      <State tone="going">
        From <Time at={planned.publishedAt} />
      </State>
    );
  return last ? <State tone="done">Published</State> : <State tone="rest">Never changed</State>;
}
