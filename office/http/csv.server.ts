import { db } from "#app/infra/database/db.server.ts";
import { csvText } from "#app/infra/document/csv.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { actorOf, type Staff } from "#app/staff/sessions.server.ts";

type CsvPage = { rows: Record<string, string | number | null>[]; next?: string };

type Table = {
  /** Begins the file's name, which today ends, and is what the audit log calls it. */
  name: string;
  fields: string[];
  /** Who gets it, and of what list: the log says so, with the number of rows, also of a download that was broken off. */
  staff: Staff;
  filters?: URLSearchParams;
};

/** A table to download, page by page: it is written as it is read, so its length needs no memory. */
export function csvResponse(
  { name, fields, staff, filters }: Table,
  page: (place?: string) => Promise<CsvPage>,
): Response {
  let place: string | undefined;
  let isFirst = true;
  let sent = 0;
  const record = () => recordExport(db(), actorOf(staff), { what: name, rows: sent, filters });
  const csv = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { rows, next } = await page(place);
      sent += rows.length;
      if (!next) await record(); // before the end is handed out
      const text = csvText({ fields, data: rows }, { header: isFirst });
      controller.enqueue(new TextEncoder().encode(isFirst ? `\uFEFF${text}\r\n` : `${text}\r\n`)); // the mark tells Excel that it is UTF-8
      isFirst = false;
      place = next;
      if (!next) controller.close();
    },
    cancel: record,
  });
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}-${shopDay()}.csv"`,
    },
  });
}
