import { redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { getOrder } from "#app/orders/history.server.ts";
import { receiptFile } from "#app/orders/receipts/pdf/response.server.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { noteNotOwn } from "#app/payments/status.server.ts";
import type { Route } from "./+types/order-receipt-pdf";

/** The receipt of a sold order, or one of its credit notes (`credit`: its number), for the order's owner alone. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return redirect("/login?next=/account", 303);
  const order = await getOrder(db(), user.id, params.reference);
  if (!order) await noteNotOwn(db(), user.id, params.reference);
  const receipt = order?.saleId ? await readReceipt(db(), order.reference) : undefined;
  return receiptFile(receipt, new URL(request.url).searchParams.get("credit"));
}
