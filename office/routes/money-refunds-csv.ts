import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { csvText } from "#app/infra/document/csv.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import { refundsReport } from "#app/owner/refunds-report.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { actorOf } from "#app/staff/sessions.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { csvFile } from "../import/csv-file.server.ts";
import { daysOf } from "../money/takings.server.ts";

/** The refunds of these days as CSV, for the accountant. Their sum equals “refunded” in the takings. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const staff = requirePermission(context, "takings");
  const { from, to, start, end, problem } = daysOf(new URL(request.url).searchParams);
  if (problem) throw new Response(problem, { status: 400 });
  const refunds = await refundsReport(db(), start, end);
  const filters = new URLSearchParams({ from, to });
  await recordExport(db(), actorOf(staff), { what: "refunds", rows: refunds.length, filters });
  const data = refunds.map(({ at, number, kobo, cents, state, reason, cause, origin, reference }) => ({
    decided: shopTime(at),
    order: number,
    naira: kobo / 100,
    dollars: dollars(usdCents(cents)),
    why: cause ?? reason,
    from: origin === "shop" ? "the shop" : "the provider’s dashboard",
    arrived: state === "done" ? "yes" : "not yet",
    reference,
  }));
  return csvFile(`refunds-${from}-to-${to}.csv`, `${csvText({ fields: FIELDS, data })}\r\n`);
}

const FIELDS = ["decided", "order", "naira", "dollars", "why", "from", "arrived", "reference"];
