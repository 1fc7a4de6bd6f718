import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { searchSubscribers } from "#app/owner/newsletter/newsletter.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { csvResponse } from "../http/csv.server.ts";
import { requirePermission } from "../http/staff.server.ts";

const AT_ONCE = 1000;

/** Who wants the newsletter, with the moment at which they said so, as CSV: in the columns of the command `subscribers export`. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const staff = requirePermission(context, "newsletter");
  return csvResponse({ name: "newsletter", fields: ["firstName", "email", "createdAt"], staff }, async (before) => {
    const { subscribers, older } = await searchSubscribers(db(), undefined, { before }, AT_ONCE);
    const rows = subscribers.map(({ firstName, email, since }) => ({
      firstName,
      email,
      createdAt: shopTime(since),
    }));
    return { rows, next: older };
  });
}
