import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { MOST_PRINTED, ordersToPrint } from "#app/owner/orders/print.server.ts";
import { may } from "#app/staff/roles.ts";
import { staffOf } from "../http/staff.server.ts";
import { numbersOf } from "./filters.server.ts";

/** What a page to print needs, of the orders that its address names: so many at once, and how many were left out. */
export async function printed({ request, context }: LoaderFunctionArgs) {
  const numbers = numbersOf(new URL(request.url).searchParams);
  return {
    orders: await ordersToPrint(db(), numbers.slice(0, MOST_PRINTED)),
    leftOut: Math.max(0, numbers.length - MOST_PRINTED),
    mayChange: may(staffOf(context).role, "orders"),
    shop: { host: env.publicUrl.host, email: (await shopSettings(db())).contact.email },
  };
}
