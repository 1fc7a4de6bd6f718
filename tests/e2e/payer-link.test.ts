import { beforeAll, expect, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();
beforeAll(async () => {
  await ask(ownerUrl(shop), "insert into shop_settings (others_pay) values ('yes')");
  await shop.restart();
});

test("with script, a shopper makes a link at the checkout, and somebody without an account pays by it", async () => {
  const { page, context } = await newVisitor(browser);
  const customer = await newCustomer(shop, "asks@example.com");
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await page.goto(`${shop.url}/checkout`, { waitUntil: "networkidle" });
  const form = page.getByRole("main");
  const button = form.getByRole("button", { name: "Let somebody pay for it" });
  await button.click();
  await expect.poll(() => form.locator('[aria-invalid="true"]').count()).toBeGreaterThan(0); // nothing was sent
  await form.getByLabel("Phone").fill("0803 123 4567");
  await form.getByLabel("Home Delivery").check();
  await form.getByLabel("State").selectOption("Lagos");
  await form.getByLabel("Street and number").fill("1 Broad Street");
  await form.getByLabel("A line for the person who pays").fill("Thank you, uncle!");
  await button.click();
  const link = await page.getByLabel("Your link").inputValue();
  await page.getByRole("link", { name: "To the content" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/checkout#main");
  expect(await page.getByLabel("Your link").inputValue()).toBe(link); // a jump within the page does not lose it
  await page.goBack();
  expect(await page.getByLabel("Your link").inputValue()).toBe(link); // and neither does the way back
  await page.goto(`${shop.url}/checkout`);
  await page.getByText("Your link for somebody else to pay is out").waitFor();
  await page.getByRole("link", { name: "See or end it" }).click();
  await page.getByRole("heading", { name: "Not paid yet" }).waitFor();
  await page.getByRole("button", { name: "Make a new link" }).click();
  const renewed = page.getByLabel("Your link");
  await renewed.waitFor();
  const second = await renewed.inputValue();
  expect(second).not.toBe(link);

  const { page: theirs, context: other } = await newVisitor(browser);
  await theirs.goto(second, { waitUntil: "networkidle" });
  await theirs.getByText("Thank you, uncle!").waitFor();
  await theirs.getByRole("main").getByLabel("Email").fill("uncle@example.com");
  await theirs.getByRole("button", { name: /^Pay ₦/ }).click();
  await theirs.getByRole("button", { name: "Pay success" }).click();
  await theirs.getByRole("heading", { name: "Thank you for paying" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: /Payment successful|Thank you/ }).waitFor();
  await Promise.all([context.close(), other.close()]);
});
