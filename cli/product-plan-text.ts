import { fieldChanges } from "#app/owner/catalog/field-changes.server.ts";
import type { Fields, Planned, ProductPlan } from "#app/owner/catalog/product-plan.server.ts";

/** What an import changes, as a person reads it: a line a product, and one for each of its fields that changes. */
export function describePlan(plan: Omit<ProductPlan, "problems">, ignored: string[]): string {
  const { created, changed, unchanged, leftAlone, doubts } = plan;
  return [
    ...created.map(({ id, after }) => [`new        ${id}`, ...fieldLines(undefined, after)].join("\n")),
    ...changed.map(({ id, before, after }: Planned) => [`changed    ${id}`, ...fieldLines(before, after)].join("\n")),
    ...(unchanged.length > 0 ? [`unchanged  ${unchanged.join(", ")}`] : []),
    `${created.length} new, ${changed.length} changed, ${unchanged.length} unchanged.`,
    ...section("Ignored, since nothing is known under these names:", ignored.length > 0 ? [ignored.join(", ")] : []),
    ...section("Stock is left as it is; --with-stock changes it:", leftAlone),
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
