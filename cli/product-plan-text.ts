import { fieldChanges } from "#app/owner/catalog/field-changes.server.ts";
import type { Fields, Planned, ProductPlan } from "#app/owner/catalog/product-plan.server.ts";

/** The changes of an import as text: one line for each product, and one for each of its changed fields. */
export function describePlan(plan: Omit<ProductPlan, "problems">, ignored: string[]): string {
  const { created, changed, unchanged, leftAlone, doubts } = plan;
  return [
    ...created.map(({ id, after }) => [`new        ${id}`, ...fieldLines(undefined, after)].join("\n")),
    ...changed.map(({ id, before, after }: Planned) => [`changed    ${id}`, ...fieldLines(before, after)].join("\n")),
    ...(unchanged.length > 0 ? [`unchanged  ${unchanged.join(", ")}`] : []),
    `${created.length} new, ${changed.length} changed, ${unchanged.length} unchanged.`,
    ...section("Ignored, because these names are unknown:", ignored.length > 0 ? [ignored.join(", ")] : []),
    ...section("Stock stays as it is. To change it, add --with-stock:", leftAlone),
    ...section("This looks like a mistake:", doubts),
  ].join("\n");
}

function section(title: string, lines: string[]): string[] {
  return lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];
}

function fieldLines(before: Fields | undefined, after: Fields): string[] {
  return fieldChanges(before, after).map(
    (change) => `    ${change.name}: ${change.before === undefined ? "" : `${change.before} -> `}${change.after}`,
  );
}
