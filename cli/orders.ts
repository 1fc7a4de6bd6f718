import { MEANS } from "#app/by-hand/means.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { REFUND_CAUSES } from "#app/orders/refund-causes.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { markDelivered, markPacked, markReady, markReturned, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { resolveIssues } from "#app/owner/orders/issues.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { changeSaleSize } from "#app/owner/orders/sizes/sizes.server.ts";
import { cancelOrder } from "#app/payments/refunds/cancel.server.ts";
import { type Action, type Actions, action, badInput, type Context, type Result } from "./command.ts";
import { given, paid } from "./orders/by-hand.ts";
import { newHandoverLink, newLink, newOrder, sellHere } from "./orders/links.ts";
import { listOrders, showOne } from "./orders/list.ts";
import { causeOf, readPiece, refund, wishOf } from "./orders/refund.ts";
import { orderReference, parcelLabel, resultOf } from "./orders/words.ts";
import { partOf } from "./paging.ts";

export const orders: Actions = {
  "orders list": action({
    words: ["[state]"],
    options: { "to-send": true, email: "EMAIL", since: "DAY", page: "N" },
    says: `lists the newest orders, all or in one state: ${ORDER_STATES.join(", ")}; --to-send: paid and not sent yet; --email: one customer's; --since: from that day on`,
    changes: false,
    run: ({ db, json, words: { state }, options }) => listOrders(db, state, options, partOf(options.page, json)),
  }),
  "orders show": action({
    words: ["order"],
    says: "shows one order, by its number or a payment reference, with everything that happened to its money",
    changes: false,
    run: async ({ db, words: { order } }) => showOne(db, await orderReference(db, order)),
  }),
  "orders new": action({
    options: {
      ...{ for: "EMAIL", piece: ["ID:SIZE:N"], price: ["ID:SIZE=DOLLARS"], reason: "TEXT" },
      ...{ hold: "TIME", address: "FILE" },
    },
    says: [
      "puts an order together for a customer, holds its items and prints the link to pay.",
      "--hold: how long, like 30m, 24h or 3d; 24h if you don't say. --address: a JSON file with the fields of",
      "the checkout; without it, the order goes where the customer's last one went. --price: a lower price for each",
      "piece of a size, agreed on with the customer, with the --reason for the order's history and the audit log",
    ].join(" "),
    changes: true,
    run: ({ options, ...hand }) => newOrder(hand, options),
  }),
  "orders sell": action({
    options: {
      ...{ at: "STALL", piece: ["ID:SIZE:N"], by: "MEANS", amount: "NAIRA", reference: "REFERENCE" },
      ...{ price: ["ID:SIZE=DOLLARS"], reason: "TEXT", for: "EMAIL", name: "NAME", phone: "PHONE" },
    },
    says: [
      "sells items at a stall, paid by hand and handed over at once; the customer may stay unknown.",
      `--by: ${MEANS.join(", ")}. --amount: what was taken, refused unless it's the sum. --reference: of a transfer.`,
      "--for: the email address for the receipt. --price and --reason: as with 'orders new'",
    ].join(" "),
    changes: true,
    run: ({ options, ...hand }) => sellHere(hand, options),
  }),
  "orders link": action({
    words: ["order"],
    says: "makes a new link to pay an order that was put together with 'orders new'; the former link opens nothing",
    changes: true,
    run: async ({ words: { order }, ...hand }) => newLink(hand, await orderReference(hand.db, order)),
  }),
  "orders paid": action({
    words: ["order"],
    options: { by: "MEANS", reference: "REFERENCE", amount: "NAIRA" },
    says: [
      "records that an order that was put together with 'orders new' has been paid by hand.",
      `--by: ${MEANS.join(", ")}. --reference: of the transfer, as the bank shows it, or of the terminal's receipt.`,
      "--amount: what was taken, if you want it compared with the order's sum",
    ].join(" "),
    changes: true,
    run: async ({ words: { order }, options, ...hand }) => paid(hand, await orderReference(hand.db, order), options),
  }),
  "orders given": action({
    words: ["order"],
    options: { reference: "REFERENCE" },
    says: [
      "marks the money of an order that was paid by hand as given back; shows the sum and asks.",
      "--reference: of the transfer, if you sent one. The shopper is emailed",
    ].join(" "),
    changes: true,
    run: async ({ words: { order }, options: { reference }, ...hand }) =>
      given(hand, await orderReference(hand.db, order), reference),
  }),
  "orders refund": action({
    words: ["order"],
    options: { piece: ["ID:SIZE:N"], amount: "NAIRA", "with-shipping": true, restock: true, reason: "WORDS" },
    says: [
      "refunds all that's left of an order, or some pieces, the delivery, or an amount; shows the sum and asks.",
      `--restock: the pieces are in stock again. --reason: one of ${REFUND_CAUSES.join(", ")}.`,
      "Without options it also retries a failed refund, and refunds a charge that",
      "'check --provider' found",
    ].join(" "),
    changes: true,
    run: async ({ words: { order }, options, ...hand }) =>
      refund(hand, await orderReference(hand.db, order), wishOf(options), causeOf(options.reason)),
  }),
  "orders resolve": action({
    words: ["order"], // may also be a payment's reference that belongs to no order of this shop
    says: "marks what 'check' says about an order as looked into, so it's no longer listed",
    changes: true,
    async run({ db, by, words: { order } }) {
      const reference = readOrderNumber(order) ? await orderReference(db, order) : order;
      const { resolved, ...done } = await resolveIssues(db, by, reference);
      return { ...resultOf(reference, done), ...(done.ok && { data: { reference, resolved } }) };
    },
  }),
  "orders cancel": action({
    words: ["order"],
    says: "cancels an order that hasn't been sent: it's refunded and back in stock",
    changes: true,
    async run({ db, by, words: { order } }) {
      const reference = await orderReference(db, order);
      const change = changeOrder(db, by, "orders cancel", reference);
      return resultOf(reference, await cancelOrder(db, reference, change));
    },
  }),
  "orders pack": said("orders pack", "marks an order as packed", markPacked),
  "orders fulfil": action({
    words: ["order", "[tracking]"],
    options: { carrier: "NAME", tracking: "NUMBER" },
    says: "marks an order as sent, with carrier and tracking number; repeat it to correct them. The shopper is emailed",
    changes: true,
    async run({ words: { order, tracking }, options, ...hand }) {
      if (tracking !== undefined && options.tracking !== undefined)
        return badInput("The tracking number is given twice");
      const parcel = { carrier: parcelLabel(options.carrier), tracking: parcelLabel(options.tracking ?? tracking) };
      return say(hand, "orders fulfil", order, (trx, reference) => markSent(trx, reference, parcel));
    },
  }),
  "orders change-size": action({
    words: ["order", "piece", "size"],
    options: { another: true },
    says: [
      "changes a size of an order that isn't packed to another size of the same product, such as ID:M:1 to L.",
      "The paid sum stays. The shopper is emailed. Said again, it changes nothing; with --another it changes as many more",
    ].join(" "),
    changes: true,
    async run({ words: { order, piece, size }, options, ...hand }) {
      const change = { ...readPiece(piece), newSize: size.toUpperCase() };
      return say(hand, "orders change-size", order, (trx, reference) =>
        changeSaleSize(trx, reference, change, options),
      );
    },
  }),
  "orders ready": said("orders ready", "marks an order as ready for pick-up. The shopper is emailed", markReady),
  "orders deliver": action({
    words: ["order"],
    options: { on: "DAY" },
    says: "marks an order as delivered or picked up; --on: on that day, like 2026-01-31; the time for returns starts at its end",
    changes: true,
    run: ({ words: { order }, options, ...hand }) =>
      say(hand, "orders deliver", order, (trx, reference) => markDelivered(trx, reference, options.on)),
  }),
  "orders handover": action({
    words: ["order"],
    says: "makes a new link to confirm a delivery by the shopper's code; the former link opens nothing",
    changes: true,
    run: async ({ words: { order }, ...hand }) => newHandoverLink(hand, await orderReference(hand.db, order)),
  }),
  "orders return": said(
    "orders return",
    "marks an order as returned to the shop; refund it with 'orders refund'",
    markReturned,
  ),
};

type Say = (trx: Transaction, reference: string) => Promise<Done>;

/** An action that records a step of an order's delivery. */
function said(name: string, says: string, mark: Say): Action {
  return action({
    words: ["order"],
    says,
    changes: true,
    run: ({ words: { order }, ...hand }) => say(hand, name, order, mark),
  });
}

async function say({ db, by }: Context, name: string, order: string, mark: Say): Promise<Result> {
  const reference = await orderReference(db, order);
  const change = changeOrder(db, by, name, reference);
  return resultOf(reference, await change((trx) => mark(trx, reference)));
}
