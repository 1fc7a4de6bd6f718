import type { FieldChange } from "#app/owner/catalog/field-changes.server.ts";
import type { TableProblem } from "#app/owner/catalog/table-row.ts";
import type { lookAt, PreviewRow } from "./preview.server.ts";
import type { Shown } from "./shown.ts";

/** The rows of an import's preview, of one kind. */
export function PreviewRows({ looked: { list, show } }: { looked: ReturnType<typeof lookAt> }) {
  return (
    <ul className="border-b border-hairline">
      {list.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row may have several mistakes, and the list never changes
        <li key={at} className="border-t border-hairline py-2.5 first:border-t-0">
          <Row row={row} show={show} />
        </li>
      ))}
    </ul>
  );
}

function Row({ row, show }: { row: PreviewRow; show: Shown }) {
  if ("text" in row) return <span className="wrap-anywhere">{row.text}</span>;
  if ("row" in row) return <Mistake problem={row} isLeftOut={show === "left"} />;
  return (
    <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-4">
      <strong className="block font-semibold wrap-anywhere">{row.id}</strong>
      <dl className="grid gap-x-4 gap-y-0.5 lg:grid-cols-[7rem_minmax(0,1fr)]">
        {row.changes.map((change) => (
          <Change key={change.name} change={change} isNew={show === "new"} />
        ))}
      </dl>
    </div>
  );
}

function Change({ change: { name, before, after }, isNew }: { change: FieldChange; isNew: boolean }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere tabular-nums max-lg:mb-1">
        {before !== undefined && (
          <>
            <del className="text-muted">
              <span className="sr-only">before: </span>
              {before}
            </del>
            <span aria-hidden="true"> → </span>
          </>
        )}
        <ins className={`no-underline ${isNew ? "" : "font-semibold"}`}>
          {before !== undefined && <span className="sr-only">after: </span>}
          {after}
        </ins>
      </dd>
    </>
  );
}

type MistakeProps = { problem: TableProblem; isLeftOut: boolean };

function Mistake({ problem: { row, column, cell, id, reason }, isLeftOut }: MistakeProps) {
  return (
    <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-4">
      <span className="block tabular-nums">
        <strong className="font-semibold">Row {row}</strong>
        <span>{column && `, ${column}`}</span>
        {cell && <span className="text-muted"> ({cell})</span>}
        {id && <span className="block text-muted wrap-anywhere">{id}</span>}
      </span>
      <span className={`wrap-anywhere ${isLeftOut ? "" : "font-medium text-error"}`}>{reason}</span>
    </div>
  );
}
