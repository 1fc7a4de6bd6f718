import type { TextRow } from "#app/owner/texts/versions.server.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";

/** A table of the pages, or emails, whose text can be changed. */
export function WordsTable({ label, texts }: { label: "Pages" | "Emails"; texts: TextRow[] }) {
  return (
    <Table
      label={label}
      rows={texts}
      idOf={({ page }) => page}
      nameOf={titleOf}
      href={({ page }) => `/words/${page}`}
      columns={label === "Pages" ? [PAGE, ADDRESS, ...COLUMNS] : [EMAIL, ...COLUMNS]}
      narrow={{ lead: titleOf, about: ({ last }) => last?.savedBy ?? "Never changed" }}
    />
  );
}

const titleOf = ({ title }: TextRow) => title;

const PAGE: Column<TextRow> = { head: "Page", tone: "strong", cell: titleOf };
const EMAIL: Column<TextRow> = { head: "Email", tone: "strong", cell: titleOf };
const ADDRESS: Column<TextRow> = { head: "Address", tone: "muted", cell: ({ path }) => path };
const COLUMNS: Column<TextRow>[] = [
  {
    head: "State",
    slot: "state",
    cell: ({ last, planned }) => (
      <TextState isChanged={last !== undefined} planned={planned?.publishedAt ?? undefined} />
    ),
  },
  { head: "Changed", cell: ({ last }) => last && <Time at={last.savedAt} /> },
  { head: "By", cell: ({ last }) => last?.savedBy },
];

type StateProps = {
  /** Whether a version was ever saved. */
  isChanged: boolean;
  /** From when the planned version is shown. */
  planned?: Date;
};

export function TextState({ isChanged, planned }: StateProps) {
  if (planned)
    return (
      <State tone="going">
        From <Time at={planned} />
      </State>
    );
  return isChanged ? <State tone="done">Published</State> : <State tone="rest">Never changed</State>;
}
