import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { type ImportPreview, previewImport } from "#app/owner/catalog/product-import.server.ts";
import { importProducts } from "#app/owner/catalog/products.server.ts";
import type { Recent } from "../frame/progress.tsx";
import { longWorks } from "../http/long-work.server.ts";

/** `writing`: the work that carries it out, once it has begun. */
type Previewed = { text: string; preview: ImportPreview; writing?: Promise<string> };
type Written = { preview: string } & ({ ok: true; created: number; changed: number } | { ok: false; problem: string });

/** Tables that are being read, or were in the last hour; and imports that are being carried out, or were in the last day. */
export const previews = longWorks<never, Previewed>({ most: 1 });
export const writes = longWorks<never, Written>({ for: DAY, most: 20 });

/** What a member has begun to read or to import, the newest first, each with the way to its page. A table that is being imported has no preview any more. */
export function recentImports(staffId: string): Recent[] {
  const read = previews.of(staffId).filter(({ result }) => !result?.writing);
  return [
    ...read.map(({ id, done, all, isDone, failed, endedAt }): Recent => {
      const ended = failed ? "A table could not be read to its end" : "A table is read, and not imported yet";
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

/** Begins to read a table; answers the work's id. */
export function beginPreview(staffId: string, text: string, withStock: boolean): Promise<string> {
  return previews.begin(staffId, async (onProgress) => ({
    text,
    preview: await previewImport(db(), text, { withStock, onProgress }),
  }));
}

/** Begins to carry out what was previewed, once: another press leads to the same work, whose id it answers. */
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

/** A table's text as it was saved: in UTF-8 or UTF-16, else as Windows writes it for Western languages. */
export async function textOfFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
