import { closeBreaks } from "#app/checkout/breaks.server.ts";
import { refundSale } from "#app/checkout/give-back.server.ts";
import { ORDER_STATES, type OrderState } from "#app/checkout/order-state.ts";
import {
  cancelOrder,
  type Done,
  fulfilOrder,
  listAllOrders,
  retryRefund,
  showOrder,
} from "#app/checkout/owner-orders.server.ts";
import { refundUnknown } from "#app/checkout/provider-review.server.ts";
import type { Db } from "#app/infra/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { badInput, type Command, type Result } from "./command.ts";

export const orders: Command = {
  usage: [
    "orders list [STATE]         the newest orders; states: open, waiting, released, sold, refunding, refunded",
    "orders show REFERENCE       one order, with everything that happened to its money",
    "orders refund REFERENCE     gives a sale's money back, its pieces stay sold; or a charge that 'check --provider' has found; tries again what failed",
    "orders resolve REFERENCE    what 'check' says of it was looked into: it is said no more",
    "orders cancel REFERENCE     ends an order that is not sent off: money and pieces go back",
    "orders fulfil REFERENCE [N] it is sent off, under the carrier's number N; the shopper is told",
  ],
  async run(db, [action, word = "", tracking]) {
    if (action === "list") return list(db, word);
    if (action === "resolve") return resolve(db, word); // also what another shop called it
    if (!["show", "refund", "cancel", "fulfil"].includes(action ?? ""))
      return badInput("Say 'orders list', or 'orders show|refund|resolve|cancel|fulfil REFERENCE'");
    if (!/^[A-Za-z0-9.=-]{16,64}$/.test(word)) return badInput(`'${word}' is no reference of an order`);
    switch (action) {
      case "show":
        return show(db, word);
      case "refund":
        return refund(db, word);
      case "cancel":
        return tell(word, await cancelOrder(db, word));
      default:
        return tell(word, await fulfilOrder(db, word, tracking));
    }
  },
};

async function list(db: Db, state: string): Promise<Result> {
  if (state && !ORDER_STATES.includes(state as OrderState))
    return badInput(`'${state}' is no state of an order: ${ORDER_STATES.join(", ")}`);
  const found = await listAllOrders(db, (state || undefined) as OrderState | undefined);
  const rows = found.map(({ reference, state, email, orderedAt, fulfilledAt, ...sums }) =>
    [
      reference,
      fulfilledAt ? "sent off" : state,
      formatKobo(kobo(sums.kobo)),
      orderedAt.toISOString().slice(0, 16),
      email,
    ].join("  "),
  );
  return { code: 0, data: { orders: found }, text: rows.join("\n") || "No orders." };
}

async function show(db: Db, reference: string): Promise<Result> {
  const order = await showOrder(db, reference);
  if (!order) return badInput(`There is no order with the reference '${reference}'`);
  return { code: 0, data: { order }, text: JSON.stringify(order, null, 2) };
}

async function refund(db: Db, reference: string): Promise<Result> {
  const refunded = await refundSale(db, reference, "returned");
  const done = refunded
    ? { ok: true as const, what: "the money goes back; the shopper is told" }
    : ((await retryRefund(db, reference)) ?? (await refundUnknown(db, reference)));
  return tell(reference, done);
}

async function resolve(db: Db, reference: string): Promise<Result> {
  const resolved = await closeBreaks(db, reference);
  if (resolved === 0) return badInput(`Nothing waits for a person to look at '${reference}'`);
  return { code: 0, data: { reference, resolved }, text: `${reference}: looked into` };
}

function tell(reference: string, done: Done): Result {
  if (!done.ok) return badInput(done.problem);
  return { code: 0, data: { reference, done: done.what }, text: `${reference}: ${done.what}` };
}
