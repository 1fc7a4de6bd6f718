import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { recordPrint } from "#app/owner/audit.server.ts";
import { MOST_PRINTED, ordersToPrint } from "#app/owner/orders/print.server.ts";
import { may } from "#app/staff/roles.ts";
import { actorOf } from "#app/staff/sessions.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { numbersOf } from "./list/filters.server.ts";

/**
 * The data of a page to print, for the orders in the URL. At most `MOST_PRINTED` are printed; the number of the others
 * is returned.
 */
export async function printed({ request, context }: LoaderFunctionArgs, what: "labels" | "slips") {
  const staff = requirePermission(context, "orders");
  const numbers = numbersOf(new URL(request.url).searchParams);
  const orders = await ordersToPrint(db(), numbers.slice(0, MOST_PRINTED));
  await recordPrint(
    db(),
    actorOf(staff),
    what,
    orders.map(({ number }) => number),
  );
  return {
    orders: orders.map(({ shipping, ...order }) => ({
      ...order,
      shipping: what === "labels" ? shipping : { ...shipping, phoneNumber: "" }, // a carrier reads only the label
    })),
    leftOut: Math.max(0, numbers.length - MOST_PRINTED),
    mayPack: may(staff.role, "packing"),
    shop: { host: env.publicUrl.host, email: (await shopSettings(db())).contact.email },
  };
}
