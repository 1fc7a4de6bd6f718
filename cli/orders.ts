import { normalizeEmail } from "#app/account/email-address.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { printable } from "#app/infra/terminal-text.ts";
import { formatKobo } from "#app/money/format.ts";
import { centsFromDollars, kobo } from "#app/money/money.ts";
import { closeIssues } from "#app/orders/issues.server.ts";
import type { RefundWish } from "#app/orders/refund-plan.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import type { Units } from "#app/orders/units.ts";
import { recordChange } from "#app/owner/audit.server.ts";
import { changeOrder } from "#app/owner/change-order.server.ts";
import { cancelOrder, type Done, listAllOrders, markSent, showOrder } from "#app/owner/orders.server.ts";
import { proposeRefund, refundAgreed } from "#app/owner/refunds.server.ts";
import { SHOP_ZONE, shopTime, shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { proposeUnknownCharge, refundUnknownCharge } from "#app/owner/unknown-charge.server.ts";
import { type Actions, action, badInput, type Hand, type Result } from "./command.ts";
import { dayFrom, type Part, pageLine, partOf } from "./paging.ts";

export const orders: Actions = {
  "orders list": action({
    words: ["[state]"],
    options: { "to-send": true, email: "EMAIL", since: "DAY", page: "N" },
    says: `the newest orders, all or of one state: ${ORDER_STATES.join(", ")}; --to-send: sold and not sent off; --email: of one customer; --since: from that day on`,
    changes: false,
    run: ({ db, json, words: { state }, options }) => list(db, state, options, partOf(options.page, json)),
  }),
  "orders show": action({
    words: ["reference"],
    says: "one order, with everything that happened to its money",
    changes: false,
    run: ({ db, words: { reference } }) => show(db, named(reference)),
  }),
  "orders refund": action({
    words: ["reference"],
    options: { piece: ["ID:SIZE:N"], amount: "NAIRA", "with-shipping": true, restock: true },
    says: [
      "gives all that is left of a sale's money back, or what its pieces, its shipping or a sum come to; shows the sum and asks.",
      "--restock: the pieces lie on the shelf again. Without options also: tries again what failed, and gives a charge back that",
      "'check --provider' has found",
    ].join(" "),
    changes: true,
    run: ({ words: { reference }, options, ...hand }) => refund(hand, named(reference), wishOf(options)),
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
      return { ...tell(reference, done), ...(done.ok && { data: { reference, resolved } }) };
    },
  }),
  "orders cancel": action({
    words: ["reference"],
    says: "ends an order that is not sent off: money and pieces go back",
    changes: true,
    async run({ db, by, words: { reference } }) {
      const change = changeOrder(db, by, "orders cancel", named(reference));
      return tell(reference, await cancelOrder(db, reference, change));
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
      const parcel = { carrier: label(options.carrier), tracking: label(options.tracking ?? tracking) };
      const change = changeOrder(db, by, "orders fulfil", named(reference));
      return tell(reference, await change((trx) => markSent(trx, reference, parcel)));
    },
  }),
};

/** A reference that can be one; throws otherwise. */
function named(reference: string): string {
  if (!/^[A-Za-z0-9.=-]{16,64}$/.test(reference)) throw new BadInput(`'${reference}' is no reference of an order`);
  return reference;
}

/** What shoppers will read of a parcel. */
function label(text: string | undefined): string | undefined {
  if (text === undefined) return;
  const label = text.trim();
  if (!label || label.length > 100 || printable(label) !== label || label.includes("\n"))
    throw new BadInput(`'${text}' is no carrier or number: it has 1 to 100 letters`);
  return label;
}

type ListOptions = { "to-send"?: boolean; email?: string; since?: string };

async function list(db: Db, state: string | undefined, options: ListOptions, part: Part): Promise<Result> {
  const known = ORDER_STATES.find((one) => one === state);
  if (state !== undefined && !known) return badInput(`'${state}' is no state of an order: ${ORDER_STATES.join(", ")}`);
  const { email, since } = options;
  const filter = {
    state: known,
    toSend: options["to-send"],
    email: email && normalizeEmail(email),
    since: since === undefined ? undefined : dayFrom(since),
  };
  const { orders, total } = await listAllOrders(db, filter, part);
  const lines = orders.map(({ reference, state, email, orderedAt, fulfilledAt, lines, ...sums }) =>
    [
      reference,
      fulfilledAt && state === "sold" ? "sent off" : state,
      formatKobo(kobo(sums.kobo)),
      ...(state === "sold" ? refundedInPart(sums) : []),
      `${lines.reduce((sum, { quantity }) => sum + quantity, 0)} pieces`,
      shopTime(orderedAt),
      email,
    ].join("  "),
  );
  return {
    code: 0,
    data: { total, page: part.page, timeZone: SHOP_ZONE, orders },
    text: [...lines, pageLine("orders", total, part)].join("\n"),
  };
}

/** For JSON that a person reads: times in the shop's time zone. JSON.stringify gives the time itself only as a property of `this`. */
function withShopTimes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  return this[key] instanceof Date ? shopTimeWithZone(this[key]) : value;
}

/** What has gone back of a sale that stands. */
function refundedInPart({ refundedKobo, refundingKobo }: { refundedKobo: number; refundingKobo: number }): string[] {
  const said = [
    refundedKobo > 0 && `refunded in part: ${formatKobo(kobo(refundedKobo))}`,
    refundingKobo > 0 && `on its way back: ${formatKobo(kobo(refundingKobo))}`,
  ];
  return said.filter((one) => one !== false);
}

async function show(db: Db, reference: string): Promise<Result> {
  const order = await showOrder(db, reference);
  if (!order) return badInput(`There is no order with the reference '${reference}'`);
  return { code: 0, data: { order }, text: JSON.stringify(order, withShopTimes, 2) };
}

type RefundOptions = { piece?: string[]; amount?: string; "with-shipping"?: boolean; restock?: boolean };

function wishOf({ piece = [], amount, "with-shipping": withShipping, restock }: RefundOptions): RefundWish {
  return {
    pieces: piece.map(readPiece),
    kobo: amount === undefined ? undefined : readNaira(amount),
    withShipping,
    restock,
  };
}

function readPiece(text: string): Units {
  const [, productId, size, quantity] = /^([^:]+):([^:]+):([1-9]\d{0,3})$/.exec(text) ?? [];
  if (!productId || !size) throw new BadInput(`'${text}' names no pieces: say ID:SIZE:N, as in eko-jersey:M:1`);
  return { productId, size, quantity: Number(quantity) };
}

function readNaira(text: string): number {
  const amount = centsFromDollars(text); // hundredths are hundredths
  if (!amount) throw new BadInput(`'${text}' is no sum in naira`);
  return amount;
}

async function refund({ db, by, confirm }: Hand, reference: string, wish: RefundWish): Promise<Result> {
  const ofSale = await proposeRefund(db, reference, wish);
  const proposal = ofSale ?? (await proposeUnknownCharge(db, reference, wish));
  if (!proposal.ok) return badInput(proposal.problem);
  await confirm(proposal.question);
  if (ofSale?.ok) {
    const change = changeOrder(db, by, "orders refund", reference);
    return tell(reference, await change((trx) => refundAgreed(trx, reference, wish, ofSale.kobo)));
  }
  const subject = { kind: "order", id: reference };
  const recordAsked = (trx: Transaction) => recordChange(trx, { by, action: "orders refund", subject });
  return tell(reference, await refundUnknownCharge(db, reference, recordAsked));
}

function tell(reference: string, done: Done): Result {
  if (!done.ok) return badInput(done.problem);
  return { code: 0, data: { reference, done: done.what }, text: `${reference}: ${done.what}` };
}
