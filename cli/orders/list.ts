import { countUnits, piecesText } from "#app/cart/cart.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { type Stage, stageOf } from "#app/orders/fulfilment/progress.ts";
import { ORDER_STATES } from "#app/orders/state.ts";
import { listAllOrders } from "#app/owner/orders/search.server.ts";
import { showOrder } from "#app/owner/orders/view.server.ts";
import { SHOP_ZONE, shopTime } from "#app/owner/shop-time.server.ts";
import { badInput, type Result } from "../command.ts";
import { dayFrom, type Part, pageLine, refuseBeyond } from "../paging.ts";
import { spoken } from "../spoken.ts";

type ListOptions = { "to-send"?: boolean; email?: string; since?: string };

/** One page of the orders, newest first: all, or those of one state. */
export async function listOrders(db: Db, state: string | undefined, options: ListOptions, part: Part): Promise<Result> {
  const known = ORDER_STATES.find((one) => one === state);
  if (state !== undefined && !known) return badInput(`'${state}' isn't an order state: ${ORDER_STATES.join(", ")}`);
  const { email, since } = options;
  const search = {
    view: options["to-send"] ? "to-send" : "all",
    state: known,
    email: email && normalizeEmail(email),
    from: since === undefined ? undefined : dayFrom(since),
  } as const;
  const { orders, total } = await listAllOrders(db, search, part);
  refuseBeyond("orders", total, part);
  const lines = orders.map(({ number, reference, state, email, orderedAt, lines, ...sums }) =>
    [
      number,
      reference,
      state === "sold" ? stateWords(stageOf(sums)) : state,
      formatKobo(kobo(sums.kobo)),
      ...(state === "sold" ? refundedInPart(sums) : []),
      piecesText(countUnits(lines)),
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

/** The stage of a sold order in a word. */
function stateWords(stage: Stage): string {
  return stage === "paid" ? "sold" : stage;
}

/** The refunds of an order that was not refunded completely, as texts. */
function refundedInPart({ refundedKobo, refundingKobo }: { refundedKobo: number; refundingKobo: number }): string[] {
  const said = [
    refundedKobo > 0 && `partly refunded: ${formatKobo(kobo(refundedKobo))}`,
    refundingKobo > 0 && `refund on its way: ${formatKobo(kobo(refundingKobo))}`,
  ];
  return said.filter((one) => one !== false);
}

/** One order, with everything that happened to its payment. */
export async function showOne(db: Db, reference: string): Promise<Result> {
  const order = await showOrder(db, reference);
  if (!order) return badInput(`There’s no order with the reference '${reference}'`);
  return { code: 0, data: { order }, text: spoken(order) };
}
