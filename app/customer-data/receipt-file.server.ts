import { type LoaderFunctionArgs, redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { getOrder } from "#app/orders/history.server.ts";
import { receiptFile } from "#app/orders/receipts/files.server.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { noteNotOwn } from "#app/payments/status.server.ts";

/** The receipt of a sold order, or one of its credit notes (`credit`: its number), as a file for its owner alone. */
export async function ownReceiptFile({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const { reference = "" } = params;
  const user = await currentUser(request);
  if (!user) return redirect("/login?next=/account", 303);
  const order = await getOrder(db(), user.id, reference);
  if (!order) await noteNotOwn(db(), user.id, reference);
  return receiptFile(order?.saleId ? await readReceipt(db(), order.reference) : undefined, request);
}
