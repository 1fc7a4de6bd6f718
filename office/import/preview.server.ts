import { type FieldChange, fieldChanges } from "#app/owner/catalog/field-changes.server.ts";
import type { ImportPreview } from "#app/owner/catalog/product-import.server.ts";
import type { Planned } from "#app/owner/catalog/product-plan.server.ts";
import type { TableProblem } from "#app/owner/catalog/table-row.ts";
import { SHOWN, type Shown } from "./shown.ts";

/** A row of a preview: a product with its changes, a problem of the table, or a line of text. */
export type PreviewRow = { id: string; changes: FieldChange[] } | TableProblem | { text: string };

const PAGE = 100;
const MOST_DOUBTS = 20;

/** One page of a preview's rows of one kind, and the number of rows of each kind. */
export function lookAt(preview: ImportPreview, wanted: Shown | undefined, page: number) {
  const { plan, problems, badRows, rows, ignored, foreign } = preview;
  const left = foreign?.leftOut ?? [];
  const all: Record<Shown, readonly unknown[]> = {
    wrong: problems,
    left,
    changed: plan.changed,
    new: plan.created,
    stock: plan.leftAlone,
    same: plan.unchanged,
  };
  const count = (name: Shown) => all[name].length;
  const counts = {
    wrong: count("wrong"),
    left: count("left"),
    changed: count("changed"),
    new: count("new"),
    stock: count("stock"),
    same: count("same"),
  };
  const show = wanted ?? SHOWN.find((name) => counts[name] > 0) ?? "same";
  const part = <One>(list: readonly One[]) => list.slice((page - 1) * PAGE, page * PAGE);
  const described = ({ id, before, after }: Planned) => ({ id, changes: fieldChanges(before, after) });
  const list: Record<Shown, () => PreviewRow[]> = {
    wrong: () => part(problems),
    left: () => part(left),
    changed: () => part(plan.changed).map(described),
    new: () => part(plan.created).map(described),
    stock: () => part(plan.leftAlone).map((text) => ({ text })),
    same: () => part(plan.unchanged).map((text) => ({ text })),
  };
  const doubts = plan.doubts.slice(0, MOST_DOUBTS);
  if (plan.doubts.length > MOST_DOUBTS) doubts.push(`and ${plan.doubts.length - MOST_DOUBTS} more`);
  return {
    list: list[show](),
    show,
    counts,
    page,
    pages: Math.ceil(counts[show] / PAGE),
    doubts,
    badRows,
    rows,
    ignored,
    foreign: foreign && { shop: foreign.shop, asks: foreign.asks, sizes: foreign.sizes },
  };
}
