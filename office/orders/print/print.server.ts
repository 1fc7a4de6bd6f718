import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { recordPrint } from "#app/owner/audit.server.ts";
import { readCourierColumns } from "#app/owner/orders/courier/columns.server.ts";
import { courierRows } from "#app/owner/orders/courier/file.ts";
import { declarations } from "#app/owner/orders/customs/declarations.server.ts";
import { pickList } from "#app/owner/orders/many/pick-list.ts";
import { MOST_PRINTED, ordersToPrint } from "#app/owner/orders/print.server.ts";
import { shopValues } from "#app/owner/shop/settings.server.ts";
import { isNigeria } from "#app/shipping/nigeria.ts";
import { may } from "#app/staff/roles.ts";
import { actorOf } from "#app/staff/sessions.server.ts";
import { longDate } from "#app/ui/long-date.ts";
import { requirePermission } from "../../http/staff.server.ts";
import { numbersOf } from "../list/filters.server.ts";

/**
 * The orders in the URL, for a page to print. At most `MOST_PRINTED` are printed; `leftOut` is the number of the
 * others. `mayDeclare`: one of them needs a customs form, whose values the member may see.
 */
export async function toPrint({ request, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "orders");
  const numbers = numbersOf(new URL(request.url).searchParams);
  const orders = await ordersToPrint(db(), numbers.slice(0, MOST_PRINTED));
  const leftOut = Math.max(0, numbers.length - MOST_PRINTED);
  const isAbroad = orders.some(({ shipping, whyNot }) => !whyNot && !isNigeria(shipping.country));
  const mayDeclare = isAbroad && may(staff.role, "details");
  return { staff, orders, leftOut, mayPack: may(staff.role, "packing"), mayDeclare };
}

/** The pick list of the orders in the URL. It has no address, so the audit log does not record it. */
export async function pickListToPrint(args: LoaderFunctionArgs) {
  const { orders, leftOut, mayPack, mayDeclare } = await toPrint(args);
  return { ...pickList(orders), leftOut, mayPack, mayDeclare };
}

/** The slips or labels of the orders in the URL. */
export async function printed(args: LoaderFunctionArgs, what: "labels" | "slips") {
  const { staff, orders, leftOut, mayPack, mayDeclare } = await toPrint(args);
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
    mayDeclare,
    shop: await sender(),
  };
}

/** The customs declarations of the orders in the URL. They say what was paid, so they need more than a label does. */
export async function customsToPrint({ request, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "details");
  const numbers = numbersOf(new URL(request.url).searchParams);
  const orders = await declarations(db(), numbers.slice(0, MOST_PRINTED));
  const declared = orders.filter(({ whyNot }) => !whyNot).map(({ number }) => number);
  await recordPrint(db(), actorOf(staff), "customs", declared);
  const { isSet, ...shop } = await sender();
  return {
    orders,
    shop,
    isSenderKnown: isSet,
    leftOut: Math.max(0, numbers.length - MOST_PRINTED),
    mayPack: may(staff.role, "packing"),
    mayProducts: may(staff.role, "products"),
    today: longDate(new Date(), env.SHOP_TIMEZONE),
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
  const lines = sender ? sender.split("\n") : [host];
  return { host, email: contact.email, lines, phone: senderPhone, isSet: sender !== "" };
}
