import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import type { Keyset } from "#app/owner/keyset.server.ts";
import { searchSubscribers } from "#app/owner/newsletter/newsletter.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/**
 * The newsletter's subscribers with the time of their subscription, as CSV. The columns are those of the command
 * `subscribers export`.
 */
export function loader({ context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "newsletter");
  const table = { name: "newsletter", fields: ["firstName", "email", "createdAt"], staff };
  const page = (...at: [Keyset, number]) => searchSubscribers(db(), undefined, ...at);
  return csvResponse(table, page, ({ firstName, email, since }) => ({ firstName, email, createdAt: shopTime(since) }));
}
