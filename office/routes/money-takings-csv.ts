import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { csvText } from "#app/infra/document/csv.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import { type SalesDay, salesReport, totalOf } from "#app/owner/sales-report.server.ts";
import { actorOf } from "#app/staff/sessions.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { csvFile } from "../import/csv-file.server.ts";
import { daysOf } from "../money/takings.server.ts";

/** The takings by day and their total as CSV, for the accountant. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const staff = requirePermission(context, "takings");
  const { from, to, start, end, problem } = daysOf(new URL(request.url).searchParams);
  if (problem) throw new Response(problem, { status: 400 });
  const days = await salesReport(db(), start, end);
  const filters = new URLSearchParams({ from, to });
  await recordExport(db(), actorOf(staff), { what: "takings", rows: days.length, filters });
  const text = csvText([...days, totalOf(days)].map(rowOf));
  return csvFile(`takings-${from}-to-${to}.csv`, `${text}\r\n`);
}

const naira = (sum: number) => sum / 100;
const inDollars = (cents: number) => dollars(usdCents(cents));

function rowOf({ day, orders, pieces, ...sums }: SalesDay) {
  return {
    day,
    orders,
    pieces,
    "sold naira": naira(sums.kobo),
    "sold dollars": inDollars(sums.cents),
    "of it shipping naira": naira(sums.shippingKobo),
    "of it shipping dollars": inDollars(sums.shippingCents),
    "refunded naira": naira(sums.refundedKobo),
    "refunded dollars": inDollars(sums.refundedCents),
    "left naira": naira(sums.kobo - sums.refundedKobo),
    "fees naira": naira(sums.feesKobo),
    "after fees naira": naira(sums.kobo - sums.refundedKobo - sums.feesKobo),
    "cash rounded down naira": naira(sums.roundedKobo),
  };
}
