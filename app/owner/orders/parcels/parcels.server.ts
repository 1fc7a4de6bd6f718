import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { emailedText, isReached } from "#app/infra/mail.server.ts";
import { stageOf } from "#app/orders/fulfilment/progress.ts";
import { changeOrder } from "../change.server.ts";
import { markSent, type Parcel } from "../fulfilment.server.ts";
import { ALREADY, whyNothingLeaves } from "../may-leave.ts";
import { ordersByNumber } from "../search.server.ts";
import { MOST_PARCELS, type ParcelLine, readParcels } from "./parcels.ts";

/** The planned result of a line. `ask`: the line has no tracking number, so it is sent only with `withoutNumber`. */
export type PlannedParcel = ParcelLine & {
  reference?: string;
  /** Whether the order has an address to mail to. */
  hasEmail?: boolean;
  customer?: string;
  to?: string;
  will: "send" | "ask" | "correct" | "nothing" | "fail";
  says: string;
};

/**
 * A pasted sheet. `carrier` is for lines without one. `withoutNumber`: whether to send lines without a tracking number.
 */
export type Sheet = { text: string; carrier?: string; withoutNumber?: boolean };

/** Plans what a sheet would change. Changes nothing. */
export async function planParcels(on: Db, { text, carrier, withoutNumber = false }: Sheet): Promise<PlannedParcel[]> {
  const lines = readParcels(text).map((line) => ("number" in line && carrier ? { carrier, ...line } : line));
  const numbers = lines.flatMap((line) => ("number" in line ? [line.number] : []));
  const orders = await ordersByNumber(on, numbers);
  const known = new Map(orders.map((order) => [order.number, order]));
  return lines.map((line, index) => {
    if ("problem" in line) return { ...line, will: "fail", says: line.problem };
    if (index >= MOST_PARCELS)
      return { ...line, will: "fail", says: `More than ${MOST_PARCELS} lines: paste the rest after these` };
    const order = known.get(line.number);
    if (!order) return { ...line, will: "fail", says: "This order doesn’t exist" };
    const plan = planned(line, order);
    const isAsked = plan.will === "send" && line.tracking === undefined && !withoutNumber;
    return { ...line, ...plan, ...(isAsked && ASK) };
  });
}

const ASK = { will: "ask", says: "Without a tracking number" } as const;

type Order = Awaited<ReturnType<typeof ordersByNumber>>[number];

function planned(
  line: Parcel,
  { reference, shipping, isGivenBack, hasPieces, isMoneyTaken, state, trial, ...sale }: Order,
): Omit<PlannedParcel, keyof ParcelLine> {
  const { firstName, lastName, pickupCenter, country, city, state: region } = shipping;
  const about = {
    reference,
    hasEmail: isReached(sale.email),
    customer: `${firstName} ${lastName}`.trim(),
    to: pickupCenter || region || city || country,
  };
  const stage = stageOf(sale);
  const isSent = stage === "sent";
  const left = state === "sold" && !trial && stage !== "packed" && !isSent ? ALREADY[stage] : undefined;
  const why =
    left ??
    whyNothingLeaves({
      state,
      trial,
      isGivenBack,
      hasPieces: hasPieces || isSent,
      isMoneyTaken: isMoneyTaken && !isSent,
    });
  if (why) return { ...about, will: "fail", says: why };
  if (!isSent) return { ...about, will: "send", says: `Sent${emailedText(sale.email, { after: ", and" })}` };
  const isSame = (line.carrier ?? sale.carrier) === sale.carrier && (line.tracking ?? sale.tracking) === sale.tracking;
  if (isSame) return { ...about, will: "nothing", says: ALREADY.sent };
  return { ...about, will: "correct", says: "Already sent. Its parcel is corrected" };
}

/** The result of a line. */
export type SentParcel = {
  line: number;
  text: string;
  number?: string;
  hasEmail: boolean;
  ok: boolean;
  says: string;
};

/**
 * Marks the orders of a sheet as sent, each in its own transaction with its row in the audit log. `onProgress` is
 * called after each. Safe to repeat: orders that are already sent are unchanged, and their shoppers get no second mail.
 */
export async function markManySent(
  on: Db,
  by: Actor,
  sheet: Sheet,
  onProgress: (done: number, all: number, parcel: SentParcel) => void = () => {},
): Promise<void> {
  const planned = await planParcels(on, sheet);
  for (const [at, parcel] of planned.entries()) {
    const { line, text, will, says, reference, hasEmail = false } = parcel;
    const about = { line, text, hasEmail, ...("number" in parcel && { number: parcel.number }) };
    if (will === "fail" || will === "ask" || will === "nothing" || !reference) {
      onProgress(at + 1, planned.length, { ...about, ok: will === "nothing", says });
      continue;
    }
    const label: Parcel = "number" in parcel ? { carrier: parcel.carrier, tracking: parcel.tracking } : {};
    const done = await changeOrder(on, by, "orders fulfil", reference)((trx) => markSent(trx, reference, label));
    onProgress(at + 1, planned.length, { ...about, ok: done.ok, says: done.ok ? done.what : done.problem });
  }
}
