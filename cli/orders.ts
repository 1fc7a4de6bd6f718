import { closeIssues } from "#app/orders/issues.server.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import { changeOrder } from "#app/owner/change-order.server.ts";
import { cancelOrder, type Done, markSent } from "#app/owner/orders.server.ts";
import { type Actions, action, badInput } from "./command.ts";
import { listOrders, showOne } from "./orders/list.ts";
import { refund, wishOf } from "./orders/refund.ts";
import { orderReference, parcelLabel, resultOf } from "./orders/words.ts";
import { partOf } from "./paging.ts";

export const orders: Actions = {
  "orders list": action({
    words: ["[state]"],
    options: { "to-send": true, email: "EMAIL", since: "DAY", page: "N" },
    says: `the newest orders, all or of one state: ${ORDER_STATES.join(", ")}; --to-send: sold and not sent off; --email: of one customer; --since: from that day on`,
    changes: false,
    run: ({ db, json, words: { state }, options }) => listOrders(db, state, options, partOf(options.page, json)),
  }),
  "orders show": action({
    words: ["reference"],
    says: "one order, with everything that happened to its money",
    changes: false,
    run: ({ db, words: { reference } }) => showOne(db, orderReference(reference)),
  }),
  "orders refund": action({
    words: ["reference"],
    options: { piece: ["ID:SIZE:N"], amount: "NAIRA", "with-shipping": true, restock: true },
    says: [
      "gives all that is left of a sale's money back, or what its pieces, its shipping or a sum come to; shows the sum and asks.",
      "--restock: the pieces are in stock again. Without options also: tries again what failed, and gives a charge back that",
      "'check --provider' has found",
    ].join(" "),
    changes: true,
    run: ({ words: { reference }, options, ...hand }) => refund(hand, orderReference(reference), wishOf(options)),
  }),
  "orders resolve": action({
    words: ["reference"], // also what another shop called it
    says: "what 'check' says of it was looked into: it is said no more",
    changes: true,
    async run({ db, by, words: { reference } }) {
      let resolved = 0;
      const change = changeOrder(db, by, "orders resolve", reference);
      const done = await change(async (trx): Promise<Done> => {
        resolved = await closeIssues(trx, reference);
        if (resolved > 0) return { ok: true, what: "looked into" };
        return { ok: false, problem: `Nothing waits for a person to look at '${reference}'` };
      });
      return { ...resultOf(reference, done), ...(done.ok && { data: { reference, resolved } }) };
    },
  }),
  "orders cancel": action({
    words: ["reference"],
    says: "ends an order that is not sent off: money and pieces go back",
    changes: true,
    async run({ db, by, words: { reference } }) {
      const change = changeOrder(db, by, "orders cancel", orderReference(reference));
      return resultOf(reference, await cancelOrder(db, reference, change));
    },
  }),
  "orders fulfil": action({
    words: ["reference", "[tracking]"],
    options: { carrier: "NAME", tracking: "NUMBER" },
    says: "it is sent off, by this carrier and under its number; said again with another, that is corrected. The shopper is told",
    changes: true,
    async run({ db, by, words: { reference, tracking }, options }) {
      if (tracking !== undefined && options.tracking !== undefined)
        return badInput("The carrier's number is said twice");
      const parcel = { carrier: parcelLabel(options.carrier), tracking: parcelLabel(options.tracking ?? tracking) };
      const change = changeOrder(db, by, "orders fulfil", orderReference(reference));
      return resultOf(reference, await change((trx) => markSent(trx, reference, parcel)));
    },
  }),
};
