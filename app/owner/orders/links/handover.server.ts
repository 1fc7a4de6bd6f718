import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { newCode } from "#app/infra/secrets/link-code.server.ts";
import { isToHandOver } from "#app/orders/fulfilment/progress.ts";
import { lockSale } from "#app/orders/fulfilment/sale.server.ts";
import { handoverUrl, replaceLink } from "#app/orders/handover/handover.server.ts";
import { changeOrder } from "../change.server.ts";

/** `link` is the whole address. Its code is not stored anywhere else. */
export type NewLink = { ok: true; what: string; link: string } | { ok: false; problem: string };

/**
 * Makes a new link to hand an order over. The former link opens nothing from then on. If it was locked, the shopper's
 * page has another code from then on, too.
 */
export async function makeHandoverLink(on: Db, by: Actor, reference: string): Promise<NewLink> {
  const code = newCode();
  const done = await changeOrder(
    on,
    by,
    "orders handover",
    reference,
  )(async (trx) => {
    const sale = await lockSale(trx, reference);
    if (sale?.order.state !== "sold" || !isToHandOver(sale))
      return { ok: false, problem: "It isn’t on its way, and isn’t waiting to be picked up" };
    const replaced = sale.order.userId !== null && (await replaceLink(trx, sale.order.id, code));
    if (!replaced) return { ok: false, problem: "It’s handed over without a code" };
    const what = "new handover link";
    return { ok: true, what: replaced === "another-code" ? `${what}; the shopper’s page has another code` : what };
  });
  return done.ok ? { ok: true, what: done.what, link: handoverUrl(code) } : done;
}
