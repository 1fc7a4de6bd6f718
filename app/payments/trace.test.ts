import { afterEach, expect, test } from "vitest";
import { type Step, stepChannel } from "#app/infra/channels.server.ts";
import { currentSpan } from "#app/infra/tracing/current.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { signedWebhook } from "#tests/support/provider.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { settlePayment } from "./settle.server.ts";
import { receiveWebhook } from "./webhook.server.ts";

const { db, provider, open } = useCheckout();

const told: Step[] = [];
const listener = { asyncEnd: (step: object) => void told.push(step as Step) };
afterEach(() => {
  stepChannel.unsubscribe(listener);
  told.length = 0;
});

const SPAN = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };

async function buyer() {
  return makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
}

test("a payment's webhook and settlement belong to the trace in which it was opened", async () => {
  const user = await buyer();
  const { reference } = await currentSpan.run(SPAN, () => open(user));
  provider.pay(reference);
  stepChannel.subscribe(listener);
  const { body, signature } = signedWebhook("charge.success", { reference });
  expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
  expect(await settlePayment(reference)).toMatchObject({ outcome: "sold" });
  expect(told).toMatchObject([
    { name: "webhook charge.success", ...SPAN },
    { name: "settle payment", ...SPAN },
  ]);
});

test("a payment that was opened in no trace, or is not known, has a trace of its own", async () => {
  const { reference } = await open(await buyer());
  stepChannel.subscribe(listener);
  await settlePayment(reference);
  for (const data of [{ reference: "f".repeat(32) }, {}]) {
    const { body, signature } = signedWebhook("transfer.success", data);
    expect(await receiveWebhook("paystack", body, signature)).toEqual({ status: 200 });
  }
  expect(told.map(({ traceparent }) => traceparent)).toEqual([undefined, undefined, undefined]);
});
