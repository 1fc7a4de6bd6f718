import { type LoaderFunctionArgs, redirect } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import * as messages from "#app/messages.ts";
import { getOrder } from "#app/orders/history.server.ts";
import { type Ending, receiptFile } from "#app/orders/receipts/files.server.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { noteNotOwn } from "#app/payments/status.server.ts";

/** How many files an account may have made in an hour: a long one takes a tenth of a second of a process. */
const FILES_AN_HOUR = 60;

/**
 * The loader of a file of a sold order, for its owner alone: the receipt, or one of its credit notes (`credit`: its
 * number).
 */
export const ownReceiptFile =
  (ending: Ending) =>
  async ({ request, params }: LoaderFunctionArgs): Promise<Response> => {
    const { reference = "" } = params;
    const user = await currentUser(request);
    if (!user) return redirect("/login?next=/account", 303);
    const limited = await limit(db(), [`receipt files of ${user.id}`, FILES_AN_HOUR, HOUR]);
    if (!limited.ok)
      return new Response(messages.form.tooOften, {
        status: 429,
        headers: { "Retry-After": String(limited.retryAfter) },
      });
    const order = await getOrder(db(), user.id, reference);
    if (!order) await noteNotOwn(db(), user.id, reference);
    return receiptFile(order?.saleId ? await readReceipt(db(), order.reference) : undefined, ending, request);
  };
