import type { ReactNode } from "react";
import { Link } from "react-router";
import { CheckIcon } from "#app/ui/icons.tsx";

/** The position of a cell on phones, where a row has two lines. A cell without a slot is shown only in wide windows. */
type Slot = "lead" | "sum" | "about" | "state";

export type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  slot?: Slot;
  align?: "end";
  tone?: "strong" | "muted";
};

export type Choosing = { chosen: ReadonlySet<string>; choose(ids: ReadonlySet<string>): void };

type Props<Row> = {
  /** The table's name for screen readers. */
  label: string;
  rows: Row[];
  idOf: (row: Row) => string;
  /** The label of a row's checkbox. Defaults to the row's id. */
  nameOf?: (row: Row) => string;
  href: (row: Row) => string;
  /** The first column links to the row's page. */
  columns: Column<Row>[];
  /** Only for phones: the name in the first line, the text in the second line, and a picture before both. */
  narrow: { lead: (row: Row) => ReactNode; about: (row: Row) => ReactNode; picture?: (row: Row) => ReactNode };
  choosing?: Choosing;
};

/** A list of things that have pages of their own: a table in wide windows, two lines per row on phones. */
export function Table<Row>({ label, rows, idOf, nameOf = idOf, href, columns, narrow, choosing }: Props<Row>) {
  const ids = rows.map(idOf);
  const isAll = choosing !== undefined && ids.length > 0 && ids.every((id) => choosing.chosen.has(id));
  return (
    <table aria-label={label} className="rows">
      <thead>
        <tr>
          {choosing && (
            <th scope="col">
              <Tick
                label="All on this page"
                checked={isAll}
                onChange={() => {
                  const others = [...choosing.chosen].filter((id) => !ids.includes(id)); // rows of other pages
                  choosing.choose(new Set(isAll ? others : [...others, ...ids]));
                }}
              />
            </th>
          )}
          {narrow.picture && <td data-narrow="" />}
          <td data-narrow="" />
          <td data-narrow="" />
          {columns.map(({ head, align }) => (
            <th scope="col" key={head} data-align={align}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)} data-chosen={choosing?.chosen.has(idOf(row)) || undefined}>
            {choosing && (
              <td data-slot="choose">
                <Tick
                  label={nameOf(row)}
                  checked={choosing.chosen.has(idOf(row))}
                  onChange={() => choosing.choose(toggled(choosing.chosen, idOf(row)))}
                />
              </td>
            )}
            {narrow.picture && (
              <td data-slot="choose" data-narrow="">
                {narrow.picture(row)}
              </td>
            )}
            <td data-slot="lead" data-narrow="">
              <Link to={href(row)} className="flex min-h-6 items-center">
                {narrow.lead(row)}
              </Link>
            </td>
            <td data-slot="about" data-narrow="">
              {narrow.about(row)}
            </td>
            {columns.map(({ head, cell, slot = "", align, tone }, at) => (
              <td key={head} data-slot={slot} data-align={align} data-tone={tone}>
                {at === 0 ? <Link to={href(row)}>{cell(row)}</Link> : cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function toggled(chosen: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}

function Tick({ label, checked, onChange }: { label: string; checked: boolean; onChange: () => void }) {
  return (
    <label className="-my-2.5 -ml-3 grid min-h-16 min-w-11 cursor-pointer place-items-center lg:m-0 lg:min-h-8 lg:min-w-9">
      <input type="checkbox" checked={checked} onChange={onChange} className="peer sr-only" />
      <span className="grid size-5 place-items-center rounded-cut border-[1.5px] border-field bg-white text-transparent peer-checked:border-ink peer-checked:bg-ink peer-checked:text-paper peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 lg:size-4.5">
        <CheckIcon className="size-4" />
      </span>
      <span className="sr-only">{label}</span>
    </label>
  );
}
