import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { receiptFile } from "#app/orders/receipts/pdf/response.server.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { referenceOf } from "#app/owner/orders/lookup.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** An order's receipt, or one of its credit notes (`credit`: its number). */
export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  requirePermission(context, "details");
  const order = readOrderNumber(params.number ?? "");
  const reference = order && (await referenceOf(db(), order));
  const receipt = reference ? await readReceipt(db(), reference) : undefined;
  return receiptFile(receipt, new URL(request.url).searchParams.get("credit"));
}
