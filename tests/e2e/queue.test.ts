import { expect, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";
import { ownerSays } from "#tests/support/shop-command.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

test("with script, Pay leads to the queue, whose page says by itself when the turn has come, and on to the checkout", async () => {
  await ownerSays(shop, "queue", "on", "rings-tee", "--pace", "1");
  const first = await newCustomer(shop, "first@example.com");
  await first.post("/queue/rings-tee", {});
  const { page, context } = await newVisitor(browser);
  const customer = await newCustomer(shop, "second@example.com");
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  await page.getByLabel("Phone").fill("0803 123 4567");
  await page.getByLabel("Home Delivery").check();
  await page.getByLabel("State").selectOption("Lagos");
  await page.getByLabel("Street and number").fill("1 Broad Street");
  await page.getByRole("button", { name: /^Pay Now/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Paystack/ })
    .click();
  await page.waitForURL("**/queue/rings-tee");
  await page.getByText(/You’re number 1; about a minute/).waitFor();
  await ask(ownerUrl(shop), "update queue_rounds set paced_at = paced_at - interval '1 minute'");
  await page.getByText("It’s your turn until").waitFor({ timeout: 40_000 });
  expect(await page.title()).toContain("It’s your turn");
  await page.getByRole("link", { name: "Go to checkout" }).click();
  await page.waitForURL("**/checkout");
  expect(await page.getByLabel("Street and number").inputValue()).toBe("1 Broad Street");
  await page.getByRole("button", { name: /^Pay Now/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Paystack/ })
    .click();
  await page.getByRole("button", { name: "Pay success" }).click();
  await page.waitForURL(`${shop.url}/`);
  await context.close();
}, 120_000);
