import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { recordPrint } from "#app/owner/audit.server.ts";
import { readCourierColumns } from "#app/owner/orders/courier/columns.server.ts";
import { courierRows } from "#app/owner/orders/courier/file.ts";
import { pickList } from "#app/owner/orders/many/pick-list.ts";
import { MOST_PRINTED, ordersToPrint } from "#app/owner/orders/print.server.ts";
import { shopValues } from "#app/owner/shop/settings.server.ts";
import { may } from "#app/staff/roles.ts";
import { actorOf } from "#app/staff/sessions.server.ts";
import { requirePermission } from "../../http/staff.server.ts";
import { numbersOf } from "../list/filters.server.ts";

/**
 * The orders in the URL, for a page to print. At most `MOST_PRINTED` are printed; `leftOut` is the number of the
 * others.
 */
export async function toPrint({ request, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "orders");
  const numbers = numbersOf(new URL(request.url).searchParams);
  const orders = await ordersToPrint(db(), numbers.slice(0, MOST_PRINTED));
  const leftOut = Math.max(0, numbers.length - MOST_PRINTED);
  return { staff, orders, leftOut, mayPack: may(staff.role, "packing") };
}

/** The pick list of the orders in the URL. It has no address, so the audit log does not record it. */
export async function pickListToPrint(args: LoaderFunctionArgs) {
  const { orders, leftOut, mayPack } = await toPrint(args);
  return { ...pickList(orders), leftOut, mayPack };
}

/** The slips or labels of the orders in the URL. */
export async function printed(args: LoaderFunctionArgs, what: "labels" | "slips") {
  const { staff, orders, leftOut, mayPack } = await toPrint(args);
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
    leftOut,
    mayPack,
    shop: await sender(),
  };
}

/** The courier's file of those orders in the URL that can be sent. */
export async function courierFile(args: LoaderFunctionArgs): Promise<{ fields: string[]; data: string[][] }> {
  const { staff, orders } = await toPrint(args);
  const leave = orders.filter(({ whyNot }) => !whyNot);
  const columns = await readCourierColumns(db());
  const numbers = leave.map(({ number }) => number);
  await recordPrint(db(), actorOf(staff), "courier", numbers);
  return { fields: columns.map(({ heading }) => heading), data: courierRows(leave, columns, await sender()) };
}

/** The sender to print on a parcel, as lines of text. If the owner has set none, the shop's host. */
async function sender() {
  const { host } = env.publicUrl;
  const [{ sender, senderPhone }, { contact }] = await Promise.all([shopValues(db()), shopSettings(db())]);
  return { host, email: contact.email, lines: sender ? sender.split("\n") : [host], phone: senderPhone };
}
