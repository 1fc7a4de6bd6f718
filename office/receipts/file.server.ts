import type { LoaderFunctionArgs } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { type Ending, receiptFile } from "#app/orders/receipts/files.server.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { referenceOf } from "#app/owner/orders/lookup.server.ts";
import { requirePermission } from "../http/staff.server.ts";

/** The loader of a file of an order: its receipt, or one of its credit notes (`credit`: its number). */
export const orderReceiptFile =
  (ending: Ending) =>
  async ({ request, params, context }: LoaderFunctionArgs): Promise<Response> => {
    requirePermission(context, "details");
    const order = readOrderNumber(params.number ?? "");
    const reference = order && (await referenceOf(db(), order));
    return receiptFile(reference ? await readReceipt(db(), reference) : undefined, ending, request);
  };
