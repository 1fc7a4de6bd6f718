/** A file to download; the mark at its beginning tells Excel that it is UTF-8. */
export function csvFile(name: string, text: string): Response {
  return new Response(`\uFEFF${text}`, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
