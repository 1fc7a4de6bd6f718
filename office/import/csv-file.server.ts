import { SPREADSHEET_MARK } from "#app/infra/document/csv.ts";

/** A CSV text as a download. */
export function csvFile(name: string, text: string): Response {
  return new Response(SPREADSHEET_MARK + text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
