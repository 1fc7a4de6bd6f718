import type { Db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import type { SentOrder } from "#app/owner/orders/links/link.server.ts";
import { putTogether } from "#app/owner/orders/links/new.server.ts";
import { type TakenByHand, takeByHand } from "#app/payments/by-hand/take.server.ts";
import { OWNER } from "./command.ts";
import { lagosForm, type Shopper } from "./shop.ts";

/** An order of M that staff have put together for a shopper. At least four times as many have to be in stock. */
export function staffOrder(
  on: Db,
  { email }: Pick<Shopper, "email">,
  productId: string,
  quantity = 1,
): Promise<SentOrder> {
  const units = [{ productId, size: "M", quantity }];
  return putTogether(on, OWNER, { email, units, heldFor: DAY, address: { ...lagosForm } });
}

export async function orderIdOf(on: Db, reference: string): Promise<string> {
  const payment = on.selectFrom("payments").select("orderId").where("reference", "=", reference);
  return (await payment.executeTakeFirstOrThrow()).orderId;
}

/** The references of the payments by hand of the order that this payment is for. */
export async function byHandOf(on: Db, reference: string): Promise<string[]> {
  const rows = await on
    .selectFrom("handTakings")
    .innerJoin("payments", "payments.reference", "handTakings.reference")
    .select("handTakings.reference")
    .where("payments.orderId", "=", await orderIdOf(on, reference))
    .execute();
  return rows.map((row) => row.reference);
}

/** Records that a staff order has been paid by hand. Returns the reference of that payment, and of its sale. */
export async function paidByHand(on: Db, sent: SentOrder, change: Partial<TakenByHand> = {}): Promise<string> {
  const taken = { means: "cash", kobo: sent.kobo, by: "bisi", ...change } as const;
  const done = await takeByHand(on, sent.reference, taken);
  if (!done.ok) throw new Error(done.problem);
  return (await byHandOf(on, sent.reference))[0] ?? "";
}

/** Ends the checks of payments that nobody has opened, as the shop does after the end of their orders' hold. */
export async function endLinkChecks(on: Db): Promise<void> {
  await on
    .updateTable("payments")
    .set({ state: "unpaid", nextCheckAt: null })
    .where("state", "=", "created")
    .where("accessCode", "is", null)
    .execute();
}
