import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { stageOf } from "#app/orders/fulfilment/progress.ts";
import { NEWEST_REFERENCE } from "#app/orders/history.server.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";
import { changeOrder } from "../change-order.server.ts";
import { markSent, type Parcel } from "../fulfilment.server.ts";
import { IS_GIVEN_BACK } from "../order-search.server.ts";
import { whyNothingLeaves } from "./may-leave.ts";
import { MOST_PARCELS, type ParcelLine, readParcels } from "./parcels.ts";

/** What would come of a line. `done`: it says what is so already. */
export type PlannedParcel = ParcelLine & {
  reference?: string;
  customer?: string;
  to?: string;
  will: "send" | "correct" | "nothing" | "fail";
  says: string;
};

/** A sheet as it was pasted; `carrier` is that of the lines that name none. */
export type Sheet = { text: string; carrier?: string };

/** What would come of a sheet's lines; nothing is changed. */
export async function planParcels(on: Db, { text, carrier }: Sheet): Promise<PlannedParcel[]> {
  const lines = readParcels(text).map((line) => ("number" in line && carrier ? { carrier, ...line } : line));
  const numbers = lines.flatMap((line) => ("number" in line ? [line.number] : []));
  const orders = numbers.length === 0 ? [] : await ordersOf(on, numbers);
  const known = new Map(orders.map((order) => [order.number, order]));
  return lines.map((line, index) => {
    if ("problem" in line) return { ...line, will: "fail", says: line.problem };
    if (index >= MOST_PARCELS)
      return { ...line, will: "fail", says: `More than ${MOST_PARCELS} lines: paste the rest after these` };
    const order = known.get(line.number);
    return order ? { ...line, ...planned(line, order) } : { ...line, will: "fail", says: "There is no such order" };
  });
}

type Order = Awaited<ReturnType<typeof ordersOf>>[number];

function planned(
  line: Parcel,
  { reference, shipping, isGivenBack, hasPieces, state, ...sale }: Order,
): Omit<PlannedParcel, keyof ParcelLine> {
  const { firstName, lastName, pickupCenter, country, city, state: region } = shipping;
  const about = {
    reference,
    customer: `${firstName} ${lastName}`.trim(),
    to: pickupCenter || region || city || country,
  };
  const stage = stageOf(sale);
  const left = state === "sold" ? LEFT[stage] : undefined;
  const isSent = stage === "sent";
  const why = left ?? whyNothingLeaves({ state, isGivenBack, hasPieces: hasPieces || isSent });
  if (why) return { ...about, will: "fail", says: why };
  if (!isSent) return { ...about, will: "send", says: "Sent, and the shopper is told" };
  const isSame = (line.carrier ?? sale.carrier) === sale.carrier && (line.tracking ?? sale.tracking) === sale.tracking;
  if (isSame) return { ...about, will: "nothing", says: "Is sent already" };
  return { ...about, will: "correct", says: "Is sent already: its parcel is corrected" };
}

const LEFT: Partial<Record<ReturnType<typeof stageOf>, string>> = {
  ready: "Waits at its pick-up centre already",
  delivered: "Is delivered already",
  returned: "Has come back already",
};

function ordersOf(on: Db, numbers: string[]) {
  return on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .leftJoin("payments as paid", "paid.reference", "sales.reference")
    .select([
      "number",
      "orders.state",
      "orders.shipping",
      NEWEST_REFERENCE.as("reference"),
      IS_GIVEN_BACK.as("isGivenBack"),
    ])
    .select(HAS_PIECES_LEFT.as("hasPieces"))
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt", "carrier", "tracking"])
    .where("number", "in", numbers)
    .execute();
}

/** What came of a line. */
export type SentParcel = { line: number; text: string; number?: string; ok: boolean; says: string };

/**
 * Marks what a sheet lists as sent, each order in a transaction of its own with its audit row; `onProgress` hears of each. Safe to repeat: what is so already is
 * left as it is, and its shopper is not told twice.
 */
export async function markManySent(
  on: Db,
  by: Actor,
  sheet: Sheet,
  onProgress: (done: number, all: number, parcel: SentParcel) => void = () => {},
): Promise<void> {
  const planned = await planParcels(on, sheet);
  for (const [at, parcel] of planned.entries()) {
    const { line, text, will, says, reference } = parcel;
    const about = { line, text, ...("number" in parcel && { number: parcel.number }) };
    if (will === "fail" || will === "nothing" || !reference) {
      onProgress(at + 1, planned.length, { ...about, ok: will === "nothing", says });
      continue;
    }
    const label: Parcel = "number" in parcel ? { carrier: parcel.carrier, tracking: parcel.tracking } : {};
    const done = await changeOrder(on, by, "orders fulfil", reference)((trx) => markSent(trx, reference, label));
    onProgress(at + 1, planned.length, { ...about, ok: done.ok, says: done.ok ? done.what : done.problem });
  }
}
