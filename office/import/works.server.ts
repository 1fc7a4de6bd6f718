import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import type { FileCurrency } from "#app/owner/catalog/foreign/currency.ts";
import { type ImportPreview, previewImport } from "#app/owner/catalog/product-import.server.ts";
import { importProducts } from "#app/owner/catalog/products.server.ts";
import type { Recent } from "../frame/progress.tsx";
import { longWorks } from "../http/long-work.server.ts";

/**
 * `currency` is that of another shop’s file. `writing` is the id of the import task, once the import has begun.
 */
type Previewed = { text: string; currency?: FileCurrency; preview: ImportPreview; writing?: Promise<string> };
type Written = { preview: string } & ({ ok: true; created: number; changed: number } | { ok: false; problem: string });

/** The tasks that read tables (kept for an hour) and those that import them (kept for a day). */
export const previews = longWorks<never, Previewed>({ most: 1 });
export const writes = longWorks<never, Written>({ for: DAY, most: 20 });

/**
 * The tables that a member is reading or importing, newest first, with links to their pages. A table that is being
 * imported is not listed as a preview.
 */
export function recentImports(staffId: string): Recent[] {
  const read = previews.of(staffId).filter(({ result }) => !result?.writing);
  return [
    ...read.map(({ id, done, all, isDone, failed, endedAt }): Recent => {
      const ended = failed ? "A table couldn’t be read completely" : "A table has been read, but not imported yet";
      const says = isDone ? ended : `Reading a table: ${done} of ${all} rows`;
      return { to: `/products/import/${id}`, says, tone: !isDone ? "going" : failed ? "person" : "waiting", endedAt };
    }),
    ...writes.of(staffId).map(({ id, done, all, isDone, result, endedAt }): Recent => {
      const written = result?.ok ? `Imported: ${result.created} new, ${result.changed} changed` : "Not imported";
      const says = isDone ? written : `Importing ${all} products: ${done} written`;
      return {
        to: `/products/import/done/${id}`,
        says,
        tone: !isDone ? "going" : result?.ok ? "done" : "person",
        endedAt,
      };
    }),
  ];
}

/** Starts reading a table. Returns the task's id. */
export function beginPreview(
  staffId: string,
  text: string,
  withStock: boolean,
  currency?: FileCurrency,
): Promise<string> {
  return previews.begin(staffId, async (onProgress) => ({
    text,
    currency,
    preview: await previewImport(db(), text, { withStock, currency, onProgress }),
  }));
}

/** Starts the import of a preview, only once: a repeated call returns the id of the same task. */
export function beginImport(by: Actor, staffId: string, id: string, previewed: Previewed): Promise<string> {
  const { products, plan, withStock } = previewed.preview;
  const all = plan.created.length + plan.changed.length;
  previewed.writing ??= writes.begin(staffId, async (onProgress) => {
    try {
      const { created, changed } = await importProducts(db(), by, products, {
        withStock,
        agreed: plan.doubts,
        seen: plan,
        onProgress: (written) => onProgress(written, all),
      });
      return { ok: true, preview: id, created: created.length, changed: changed.length };
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      return { ok: false, preview: id, problem: error.message };
    }
  });
  return previewed.writing;
}
