import { csvText } from "#app/infra/document/csv.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";

type CsvPage = { rows: Record<string, string | number | null>[]; next?: string };

/** A table to download, page by page: it is written as it is read, so its length needs no memory. `name` begins the file's name, today ends it. */
export function csvResponse(name: string, fields: string[], page: (place?: string) => Promise<CsvPage>): Response {
  let place: string | undefined;
  let isFirst = true;
  const csv = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { rows, next } = await page(place);
      const text = csvText({ fields, data: rows }, { header: isFirst });
      controller.enqueue(new TextEncoder().encode(isFirst ? `\uFEFF${text}\r\n` : `${text}\r\n`)); // the mark tells Excel that it is UTF-8
      isFirst = false;
      place = next;
      if (!next) controller.close();
    },
  });
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}-${shopDay()}.csv"`,
    },
  });
}
