import { expect, test } from "vitest";
import { renderers } from "#app/orders/emails.tsx";
import { getOrder } from "#app/orders/history.server.ts";
import { forStranger } from "#app/orders/reader/stranger.ts";
import { markSent } from "#app/owner/orders/fulfilment.server.ts";
import { changeShop } from "#app/owner/shop/settings.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";

const { db, provider, oneBuyer } = useCheckout();

test("a tracking number is a link on the order and in its mail if the owner has set its carrier's address", async () => {
  await changeShop(db(), OWNER, { carriers: "GIG https://gig.example/{number}" }, { carriers: "" });
  const { user, payment } = await oneBuyer();
  const { reference } = payment;
  provider.pay(reference);
  await settlePayment(reference);
  const shown = async () => (await getOrder(db(), user.id, reference))?.trackingUrl;
  const mails = () =>
    db().selectFrom("outbox").select("data").where("kind", "=", "order-sent").orderBy("createdAt").execute();
  expect(await shown()).toBeUndefined();

  await markSent(db(), reference, { carrier: "gig", tracking: "G 1" });
  const url = "https://gig.example/G%201";
  expect(await shown()).toBe(url);
  const [first] = await mails();
  const data = first?.data as Record<string, unknown>;
  const htmlOf = async (given: object) => (await renderers["order-sent"]?.(given))?.html;
  expect(await htmlOf(data)).toContain(`href="${url}"`);
  expect(await htmlOf(forStranger(data))).not.toContain("gig.example");

  await markSent(db(), reference, { carrier: "DHL", tracking: "G 1" });
  expect(await shown()).toBeUndefined();
  const [, second] = await mails();
  expect(second?.data).not.toHaveProperty("trackingUrl");
});
