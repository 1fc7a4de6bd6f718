import type { Transaction } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { REFUND_CAUSES } from "#app/orders/refund-causes.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import { changeOrder } from "#app/owner/change-order.server.ts";
import { markDelivered, markPacked, markReady, markReturned, markSent } from "#app/owner/fulfilment.server.ts";
import { resolveIssues } from "#app/owner/orders/issues.server.ts";
import { cancelOrder, type Done } from "#app/owner/orders.server.ts";
import { type Action, type Actions, action, badInput, type Hand, type Result } from "./command.ts";
import { listOrders, showOne } from "./orders/list.ts";
import { causeOf, refund, wishOf } from "./orders/refund.ts";
import { orderReference, parcelLabel, resultOf } from "./orders/words.ts";
import { partOf } from "./paging.ts";

export const orders: Actions = {
  "orders list": action({
    words: ["[state]"],
    options: { "to-send": true, email: "EMAIL", since: "DAY", page: "N" },
    says: `the newest orders, all or of one state: ${ORDER_STATES.join(", ")}; --to-send: sold and still here; --email: of one customer; --since: from that day on`,
    changes: false,
    run: ({ db, json, words: { state }, options }) => listOrders(db, state, options, partOf(options.page, json)),
  }),
  "orders show": action({
    words: ["order"],
    says: "one order, by its number or a payment's reference, with everything that happened to its money",
    changes: false,
    run: async ({ db, words: { order } }) => showOne(db, await orderReference(db, order)),
  }),
  "orders refund": action({
    words: ["order"],
    options: { piece: ["ID:SIZE:N"], amount: "NAIRA", "with-shipping": true, restock: true, reason: "WORDS" },
    says: [
      "gives all that is left of a sale's money back, or what its pieces, its shipping or a sum come to; shows the sum and asks.",
      `--restock: the pieces are in stock again. --reason: one of ${REFUND_CAUSES.join(", ")}.`,
      "Without options also: tries again what failed, and gives a charge back that",
      "'check --provider' has found",
    ].join(" "),
    changes: true,
    run: async ({ words: { order }, options, ...hand }) =>
      refund(hand, await orderReference(hand.db, order), wishOf(options), causeOf(options.reason)),
  }),
  "orders resolve": action({
    words: ["order"], // also what another shop called it
    says: "what 'check' says of it was looked into: it is said no more",
    changes: true,
    async run({ db, by, words: { order } }) {
      const reference = readOrderNumber(order) ? await orderReference(db, order) : order;
      const { resolved, ...done } = await resolveIssues(db, by, reference);
      return { ...resultOf(reference, done), ...(done.ok && { data: { reference, resolved } }) };
    },
  }),
  "orders cancel": action({
    words: ["order"],
    says: "ends an order that has not left: money and pieces go back",
    changes: true,
    async run({ db, by, words: { order } }) {
      const reference = await orderReference(db, order);
      const change = changeOrder(db, by, "orders cancel", reference);
      return resultOf(reference, await cancelOrder(db, reference, change));
    },
  }),
  "orders pack": said("orders pack", "it is packed", markPacked),
  "orders fulfil": action({
    words: ["order", "[tracking]"],
    options: { carrier: "NAME", tracking: "NUMBER" },
    says: "it is sent off, by this carrier and under its number; said again with another, that is corrected. The shopper is told",
    changes: true,
    async run({ words: { order, tracking }, options, ...hand }) {
      if (tracking !== undefined && options.tracking !== undefined)
        return badInput("The carrier's number is said twice");
      const parcel = { carrier: parcelLabel(options.carrier), tracking: parcelLabel(options.tracking ?? tracking) };
      return say(hand, "orders fulfil", order, (trx, reference) => markSent(trx, reference, parcel));
    },
  }),
  "orders ready": said("orders ready", "it can be picked up at its pick-up centre. The shopper is told", markReady),
  "orders deliver": action({
    words: ["order"],
    options: { on: "DAY" },
    says: "it is with its shopper: delivered, or picked up; --on: on that day, as 2026-01-31, from whose end the times for returns count",
    changes: true,
    run: ({ words: { order }, options, ...hand }) =>
      say(hand, "orders deliver", order, (trx, reference) => markDelivered(trx, reference, options.on)),
  }),
  "orders return": said("orders return", "it has come back; its money is a matter of 'orders refund'", markReturned),
};

type Say = (trx: Transaction, reference: string) => Promise<Done>;

/** What the owner says of an order's way to its shopper. */
function said(name: string, says: string, mark: Say): Action {
  return action({
    words: ["order"],
    says,
    changes: true,
    run: ({ words: { order }, ...hand }) => say(hand, name, order, mark),
  });
}

async function say({ db, by }: Hand, name: string, order: string, mark: Say): Promise<Result> {
  const reference = await orderReference(db, order);
  const change = changeOrder(db, by, name, reference);
  return resultOf(reference, await change((trx) => mark(trx, reference)));
}
