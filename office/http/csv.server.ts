import { db } from "#app/infra/database/db.server.ts";
import { csvText, SPREADSHEET_MARK } from "#app/infra/document/csv.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import type { Keyset, Page } from "#app/owner/keyset.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { actorOf, type Staff } from "#app/staff/sessions.server.ts";

type CsvRow = Record<string, string | number | null>;

const AT_ONCE = 1000; // rows

type Table = {
  /** The beginning of the file's name, before the date; also the name of the export in the audit log. */
  name: string;
  fields: string[];
  /**
   * Who exports the table, and with which filters. The audit log records both, with the number of rows, even if the
   * download was aborted.
   */
  staff: Staff;
  filters?: URLSearchParams;
};

/** A CSV download, written page by page as it is read, so that its length does not matter for memory. */
export function csvResponse<Row>(
  { name, fields, staff, filters }: Table,
  page: (keyset: Keyset, size: number) => Promise<Page<Row>>,
  rowOf: (row: Row) => CsvRow,
): Response {
  let before: string | undefined;
  let isFirst = true;
  let sent = 0;
  const record = () => recordExport(db(), actorOf(staff), { what: name, rows: sent, filters });
  const csv = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { rows, older } = await page({ before }, AT_ONCE);
      sent += rows.length;
      if (!older) await record(); // before the end is sent
      const text = csvText({ fields, data: rows.map(rowOf) }, { header: isFirst });
      controller.enqueue(new TextEncoder().encode(`${isFirst ? SPREADSHEET_MARK : ""}${text}\r\n`));
      isFirst = false;
      before = older;
      if (!older) controller.close();
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
