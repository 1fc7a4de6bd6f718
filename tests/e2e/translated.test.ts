import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newVisitor, PAID, seesAfter } from "#tests/support/browser.ts";
import { newCustomer, PASSWORD } from "#tests/support/http-visitor.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";
import { type Translated, translates } from "#tests/support/translation.ts";

useShopInBrowser();

/** What the page wrote where its reader does not see it. */
const unseen = (page: Page) => page.evaluate(() => (window as Translated).unseen ?? []);

const inMain = (page: Page) => page.getByRole("main");
const payNow = (page: Page) => page.getByRole("button", { name: /^Pay Now/ });

/** Looks around in the catalogue, and puts two jerseys into the cart. */
async function fillCart(page: Page, width: number): Promise<void> {
  await page.goto(`${shop.url}/shop?q=jersy`);
  await page.getByText("No results for “jersy”.").waitFor();
  await page.getByRole("link", { name: "remove this filter" }).click();
  await page.getByRole("link", { name: /Unity Home Jersey/i }).click();
  await page.waitForURL("**/singleProduct/unity-home-jersey");
  await page.getByRole("button", { name: "Choose a size" }).click({ force: true }); // the button is marked as disabled
  await page.getByText("Please choose a size").first().waitFor();
  await page.getByRole("radio", { name: "M", exact: true }).check({ force: true });
  await page.getByRole("button", { name: "One more" }).first().click();
  await page.getByLabel("Deliver to").first().selectOption({ label: "Kano" });
  await page.getByText("Delivery to Kano").first().waitFor();
  await page.getByRole("button", { name: "Add to Cart" }).click();
  if (width < 1024) await page.waitForURL("**/Cart");
  await page.getByRole("button", { name: /^One more: Unity/ }).click();
  await page.getByRole("button", { name: /^One less: Unity/ }).click();
  await page.getByRole("button", { name: /^REMOVE/ }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 for").waitFor();
}

async function logInOver(page: Page, email: string): Promise<void> {
  await page.getByRole("link", { name: /^checkout$/i }).click();
  const dialog = page.getByRole("dialog", { name: "Login" });
  await dialog.getByRole("link", { name: "Create one" }).click();
  await page.getByRole("dialog", { name: "Create account" }).getByRole("link", { name: "Log in" }).click();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Show password" }).click();
  await dialog.getByRole("button", { name: "Login", exact: true }).click();
  await page.waitForURL("**/checkout");
}

async function fillShipping(page: Page): Promise<void> {
  const form = inMain(page);
  await form.getByLabel("Pick-up", { exact: true }).check();
  await form.getByLabel("Pick-up center").selectOption({ index: 1 });
  await form.getByLabel("Pick-up center").selectOption({ index: 2 });
  await form.getByLabel("Country").selectOption("Ghana");
  await form.getByLabel("Country").selectOption("Nigeria");
  await form.getByLabel("Home Delivery").check();
  await form.getByLabel("State").selectOption("Abia");
  await form.getByLabel("State").selectOption("Lagos");
  const phone = form.getByLabel("Phone");
  await phone.fill("0803");
  await form.getByLabel("Street and number").fill("1 Broad Street");
  await page.getByText("Please enter a valid phone number").waitFor();
  await phone.fill("0803 123 4567");
  await phone.blur();
  await page.getByText("Please enter a valid phone number").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Switch to naira" }).click();
}

test.each([390, 1440])(
  "18 a page that the browser translates, at once and after each change, sells at %i px",
  async (width) => {
    const email = `translated-${width}@example.com`;
    await newCustomer(shop, email);
    const { page, context, complaints } = await newVisitor(browser, { viewport: { width, height: 900 } });
    await context.addInitScript(translates);
    await fillCart(page, width);
    expect(await unseen(page)).toEqual([]);
    await logInOver(page, email);
    await fillShipping(page);
    await payNow(page).click();
    const payment = page.getByRole("dialog", { name: "Choose a Payment Method" });
    await payment.getByRole("button", { name: /^Card/ }).click();
    const pay = page.frameLocator('iframe[id^="inline-checkout-"]').getByRole("button", { name: "Pay success" });
    expect(await unseen(page)).toEqual([]);
    await seesAfter(page, PAID, () => pay.click());
    await page.waitForURL(`${shop.url}/`);
    await page.goto(`${shop.url}/account`);
    await page.getByText("1 Broad Street").first().waitFor({ state: "attached" });
    expect(await unseen(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  },
);
