import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { newCode } from "#app/infra/secrets/link-code.server.ts";
import { type Kobo, kobo } from "#app/money/money.ts";
import { isLive } from "#app/orders/state.ts";
import { linkOf } from "#app/payments/links/link.server.ts";
import { replaceCode } from "#app/payments/links/order.server.ts";
import { lockKnownOrder } from "../lookup.server.ts";

/** An order that staff have put together. `url` contains the code, which is not stored anywhere else. */
export type SentOrder = { number: string; reference: string; kobo: Kobo; until: Date; url: string };

/** Makes a new link for an order that staff put together. The former link opens nothing from then on. */
export async function renewLink(on: Db, by: Actor, reference: string): Promise<SentOrder> {
  return retryingTransaction(on, (trx) => renew(trx, by, reference));
}

export async function renew(trx: Transaction, by: Actor, reference: string): Promise<SentOrder> {
  const order = (await lockKnownOrder(trx, reference))?.order;
  if (!order) throw new BadInput(`There's no order with the reference '${reference}'`);
  if (!isLive(order.state) || order.expiresAt <= new Date())
    throw new BadInput(`${order.number} can no longer be paid: it's paid, or its time is over`);
  const code = newCode();
  if (!(await replaceCode(trx, order.id, code)))
    throw new BadInput(`${order.number} comes from the checkout. Its customer pays it there`);
  await recordChange(trx, { by, action: "orders link", subject: { kind: "order", id: reference } });
  const { number, expiresAt: until } = order;
  return { number, reference, kobo: kobo(Number(order.kobo)), until, url: linkOf(code) };
}
