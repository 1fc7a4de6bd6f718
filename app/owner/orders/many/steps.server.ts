import type { Actor } from "#app/infra/audit.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { emailedText, isReached } from "#app/infra/mail.server.ts";
import { stageOf } from "#app/orders/fulfilment/progress.ts";
import { changeOrder } from "../change.server.ts";
import { markDelivered, markPacked, markReady } from "../fulfilment.server.ts";
import type { Done } from "../orders.server.ts";
import { ordersByNumber, whoAndWhere } from "../search.server.ts";
import { STEPS, type Step, whyNoStep } from "./steps.ts";

/** The planned result of a step for an order. `nothing`: the order is at this stage already. */
export type PlannedStep = {
  number: string;
  /** Whether the order has an address to mail to. */
  hasEmail: boolean;
  reference?: string;
  customer?: string;
  to?: string;
  will: "do" | "nothing" | "fail";
  says: string;
};

/** Plans a step for the orders with these numbers. Changes nothing. */
export async function planSteps(on: Db, step: Step, numbers: readonly string[]): Promise<PlannedStep[]> {
  const orders = new Map((await ordersByNumber(on, numbers)).map((order) => [order.number, order]));
  return numbers.map((number) => {
    const order = orders.get(number);
    if (!order) return { number, hasEmail: false, will: "fail", says: "This order doesn’t exist" };
    const stage = stageOf(order);
    const isPickUp = order.shipping.pickupCenter !== "";
    const { customer, to } = whoAndWhere(order.shipping);
    const about = { number, hasEmail: isReached(order.email), reference: order.reference, customer, to };
    const why = whyNoStep(step, { ...order, stage, isPickUp });
    if (!why) return { ...about, will: "do", says: WILL[step](isPickUp, order.email) };
    const isDone = order.state === "sold" && !order.trial && stage === STEPS[step];
    return { ...about, will: isDone ? "nothing" : "fail", says: why };
  });
}

const WILL: Record<Step, (isPickUp: boolean, email: string) => string> = {
  pack: () => "Packed",
  ready: (_, email) => `Ready${emailedText(email, { after: ", and" })}`,
  deliver: (isPickUp) => (isPickUp ? "Picked up" : "Delivered"),
};

type Work = (trx: Transaction, reference: string, day?: string) => Promise<Done>;

/** The command whose name each step has in the audit log, and the function that the command calls. */
export const STEP_WORKS: Record<Step, { command: string; work: Work }> = {
  pack: { command: "orders pack", work: markPacked },
  ready: { command: "orders ready", work: markReady },
  deliver: { command: "orders deliver", work: markDelivered },
};

/** The result of a step for an order. */
export type StepTaken = { number: string; ok: boolean; says: string; hasEmail: boolean };

/**
 * Takes a step for many orders, each in its own transaction with its row in the audit log. `day`: when they were
 * delivered, such as 2026-01-31. `onProgress` is called after each. Safe to repeat: orders that are at this stage
 * already stay as they are.
 */
export async function takeSteps(
  on: Db,
  by: Actor,
  { step, numbers, day }: { step: Step; numbers: readonly string[]; day?: string },
  onProgress: (done: number, all: number, taken: StepTaken) => void = () => {},
): Promise<void> {
  const { command, work } = STEP_WORKS[step];
  const planned = await planSteps(on, step, numbers);
  for (const [at, { number, hasEmail, reference, will, says }] of planned.entries()) {
    if (will !== "do" || !reference) {
      onProgress(at + 1, planned.length, { number, hasEmail, ok: will === "nothing", says });
      continue;
    }
    const done = await changeOrder(on, by, command, reference)((trx) => work(trx, reference, day));
    onProgress(at + 1, planned.length, { number, hasEmail, ok: done.ok, says: done.ok ? done.what : done.problem });
  }
}
