import { expect, test } from "vitest";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { asked, button, heading, office, shop, staff, useOffice, WAYS } from "#tests/support/office-in-browser.ts";
import { faultsIn, ledgerOf } from "#tests/support/shop-books.ts";

useOffice();

const JERSEY = "unity-home-jersey";

test("an owner's day: the rate, the stock, an order packed, sent and delivered, and a piece that comes back", async () => {
  const { page, hand, isInOrder, leaves } = await staff(WAYS[0], "/money");
  await hand.type(page.getByLabel("New rate"), "1650");
  await hand.press(button(page, "Set the rate"));
  await page.getByText("from now on.").waitFor();
  await isInOrder();

  await page.goto(`${office}/products/stock`);
  await hand.press(page.locator('[data-cell="0 0"]'));
  await page.keyboard.type("40");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+s");
  await page.getByText("1 size is saved.").waitFor();
  const [first] = await asked("select id from products order by position, id limit 1");
  const product = (await (await fetch(`${shop.url}/api/products/${first?.id}`)).json()) as { sizes: object };
  expect(product.sizes).toMatchObject({ S: 40 });
  await isInOrder();

  const ada = await newCustomer(shop, "ada@example.com");
  await ada.post("/Cart", { intent: "add", id: JERSEY, size: "M", quantity: "2" });
  const reference = await endPayment((await pressPay(ada)).headers.get("location") ?? "", "success");
  await ada.get(`/order/${reference}`);
  const [order] = await asked(
    `select number from orders join sales on order_id = orders.id where sales.reference = '${reference}'`,
  );
  await page.goto(`${office}/orders`);
  await hand.press(page.getByRole("link", { name: String(order?.number) }).first());
  await heading(page, String(order?.number)).waitFor();
  await hand.press(button(page, "Mark as packed"));
  await page.getByText("Packed.").waitFor();
  await hand.press(page.getByRole("link", { name: "Mark as sent" }));
  await hand.type(page.getByLabel("Carrier"), "DHL");
  await hand.type(page.getByLabel("Tracking number"), "4711");
  await hand.press(button(page, "Mark as sent"));
  await page.getByText("Sent off; the shopper is emailed.").waitFor();
  await hand.press(page.getByRole("link", { name: "Delivered", exact: true }));
  await hand.press(button(page, "Mark as delivered"));
  const delivered = `select delivered_at is not null as delivered from sales where reference = '${reference}'`;
  await expect.poll(() => asked(delivered)).toEqual([{ delivered: true }]);
  await isInOrder();

  const piece = { [`quantity:${JERSEY}:M`]: "1", [`instead:${JERSEY}:M`]: "" };
  const answer = await ada.post(`/order/${reference}/return`, { ...piece, reason: "size", words: "Too small" });
  expect(answer.status).toBe(303);
  const [wish] = await asked(`select number from returns where reference = '${reference}'`);
  await page.goto(`${office}/returns`);
  await hand.press(page.locator(`a[href="/returns/${wish?.number}"]:visible`).first());
  for (const [name, yes, said] of [
    ["Approve", "Yes, approve it", "Approved; the shopper is emailed."],
    ["The items have arrived", "Yes, they are here", "Received; the shopper is emailed."],
  ] as const) {
    await hand.press(button(page, name));
    await hand.press(button(page, yes));
    await page.getByText(said).waitFor();
  }
  const refund = page.getByRole("button", { name: /^Refund ₦/ });
  const kobo = Math.round(Number((await refund.innerText()).replace(/[^\d.]/g, "")) * 100);
  await hand.press(refund);
  await hand.press(button(page, "Yes, refund it"));
  await page.getByText("goes back; the shopper is emailed.").waitFor();
  await isInOrder();
  await leaves();

  const paid = async () => (await ledgerOf(shop)).find((one) => one.reference === reference);
  await expect.poll(paid).toMatchObject({ refundedKobo: kobo });
  await expect.poll(() => faultsIn(shop)).toEqual([]);
});
