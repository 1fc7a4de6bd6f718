import { sql } from "kysely";
import { expect, test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { share } from "#tests/support/share.ts";
import { reconcile } from "./reconcile.server.ts";
import { settlePayment } from "./settle.server.ts";
import { closePayment, paymentStatus } from "./status.server.ts";
import { receiveWebhook } from "./webhook.server.ts";

const { db, provider, oneBuyer, salesOf, statesOf, mailsAbout, expire, catchUp } = useCheckout();

type Story = Awaited<ReturnType<typeof oneBuyer>>;

/** Everything that may make the shop check a payment. The provider sends its webhook twice. */
const EVENTS: Record<string, (story: Story) => Promise<unknown>> = {
  callback: ({ payment }) => settlePayment(payment.reference),
  poll: ({ user, payment }) => paymentStatus(db(), user.id, payment.reference),
  close: ({ user, payment }) => closePayment(db(), user.id, payment.reference),
  webhook: ({ payment }) => webhook(payment.reference),
  sweeper: ({ payment }) => expire(payment.orderId).then(() => catchUp(payment.reference)),
};

async function webhook(reference: string): Promise<void> {
  const { body, signature } = signedWebhook("charge.success", { reference });
  expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
  while (await reconcile(db()));
}

/** Makes a payment that has been tested not due, so that it is not checked together with the next ones. */
async function leaveAlone(reference: string): Promise<void> {
  await db()
    .updateTable("payments")
    .set({ nextCheckAt: sql`now() + interval '1 day'` })
    .where("reference", "=", reference)
    .where("nextCheckAt", "is not", null)
    .execute();
}

/** Every order of the items, each once: swapping two equal items makes no new order. */
function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  const firsts = [...new Set(items)];
  return firsts.flatMap((first) =>
    permutations(items.toSpliced(items.indexOf(first), 1)).map((rest) => [first, ...rest]),
  );
}

const ORDERS = permutations([...Object.keys(EVENTS), "webhook"]);
/**
 * Each verdict is tried with every third of the 360 orders, from a start that depends on the verdict; with
 * INTERLEAVINGS=all, with every order.
 */
const step = process.env.INTERLEAVINGS === "all" ? 1 : 3;

test.each([
  ["success", {}, ["sold"], ["order-confirmation"]],
  ["pending", { status: "pending" }, ["waiting"], []],
  ["failed", { status: "failed" }, ["released"], []],
  ["the wrong amount", { amount: 1 }, ["refunding"], ["refund-started"]],
  ["the wrong currency", { currency: "USD" }, ["refunding"], ["refund-started"]],
  ["reversed", { status: "reversed" }, ["refunded"], ["refund-done"]],
])("F05 to F11, F27: %s, in many orders of events", { timeout: 600_000 }, async (verdict, as, states, mails) => {
  const left = share(ORDERS.filter((_, at) => (at + verdict.length) % step === 0));
  const runner = async () => {
    for (let order = left.pop(); order; order = left.pop()) {
      const story = await oneBuyer();
      provider.pay(story.payment.reference, as);
      for (const event of order) await EVENTS[event]?.(story);
      const told = order.join(", ");
      const came = { states: await statesOf(story.user), mails: await mailsAbout(story.payment.reference) };
      expect({ told, ...came }).toEqual({ told, states, mails });
      expect(await salesOf(story.user)).toHaveLength(states[0] === "sold" ? 1 : 0);
      await leaveAlone(story.payment.reference);
    }
  };
  await Promise.all(Array.from({ length: 6 }, runner));
});
