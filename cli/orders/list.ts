import { countUnits } from "#app/cart/cart.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { type Stage, stageOf } from "#app/orders/fulfilment/progress.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import { listAllOrders, showOrder } from "#app/owner/orders.server.ts";
import { SHOP_ZONE, shopTime, shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { badInput, type Result } from "../command.ts";
import { dayFrom, type Part, pageLine } from "../paging.ts";

type ListOptions = { "to-send"?: boolean; email?: string; since?: string };

/** The newest orders, all or those of a state. */
export async function listOrders(db: Db, state: string | undefined, options: ListOptions, part: Part): Promise<Result> {
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
  const lines = orders.map(({ number, reference, state, email, orderedAt, lines, ...sums }) =>
    [
      number,
      reference,
      state === "sold" ? stateWords(stageOf(sums)) : state,
      formatKobo(kobo(sums.kobo)),
      ...(state === "sold" ? refundedInPart(sums) : []),
      `${countUnits(lines)} pieces`,
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

/** A sold order by where it is. */
function stateWords(stage: Stage): string {
  return stage === "paid" ? "sold" : stage === "sent" ? "sent off" : stage;
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

/** One order, with everything that happened to its money. */
export async function showOne(db: Db, reference: string): Promise<Result> {
  const order = await showOrder(db, reference);
  if (!order) return badInput(`There is no order with the reference '${reference}'`);
  return { code: 0, data: { order }, text: JSON.stringify(order, withShopTimes, 2) };
}
