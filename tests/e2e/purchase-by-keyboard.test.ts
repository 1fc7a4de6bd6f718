import { expect, test } from "vitest";
import { newVisitor, PAID, seesAfter, WITH_WORKER } from "#tests/support/browser.ts";
import { keyboard } from "#tests/support/hands.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

test("by the keyboard alone a customer finds a jersey, chooses a size, and pays", async () => {
  const { cookies } = await newCustomer(shop, "ada@example.com");
  const { page, context, complaints } = await newVisitor(browser, {
    ...WITH_WORKER,
    viewport: { width: 1440, height: 900 },
  });
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.addInitScript(() => self === top && localStorage.setItem("currency", "NGN"));
  const { press, reach, tick, choose, type } = keyboard(page);

  await page.goto(`${shop.url}/shop`);
  await press(page.getByRole("link", { name: /Unity Home Jersey/i }));
  await page.waitForURL("**/singleProduct/unity-home-jersey");
  await tick(page.getByRole("radio", { name: "M", exact: true }));
  await press(page.getByRole("button", { name: "Add to Cart" }));
  await press(page.getByRole("dialog", { name: "CART" }).getByRole("link", { name: /^checkout$/i }));
  await page.waitForURL("**/checkout");
  const form = page.getByRole("main");
  await tick(form.getByLabel("Home Delivery"));
  await choose(form.getByLabel("State"), "Lagos");
  await type(form.getByLabel("Street and number"), "1 Broad Street");
  await type(form.getByLabel("Phone"), "0803 123 4567");
  const payNow = page.getByRole("button", { name: /^Pay Now/ });
  await expect.poll(() => payNow.isEnabled()).toBe(true);
  await press(payNow);
  await press(page.getByRole("dialog", { name: "Choose a Payment Method" }).getByRole("button", { name: /^Card/ }));
  const paid = page.frameLocator('iframe[id^="inline-checkout-"]').getByRole("button", { name: "Pay success" });
  await paid.focus(); // the frame is the provider's
  await seesAfter(page, PAID, () => page.keyboard.press("Enter"));
  await page.waitForURL(`${shop.url}/`);
  await reach(page.getByRole("link", { name: "See your order" }));
  expect(complaints).toEqual([]);
  await context.close();
});
