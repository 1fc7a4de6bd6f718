import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor, openBrowser } from "#tests/support/browser.ts";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { freePort, ownerUrl, type RunningShop, runShop } from "#tests/support/running-shop.ts";

let shop: RunningShop;
let browser: Browser;
let office: string;

beforeAll(async () => {
  const port = await freePort();
  office = `http://localhost:${port}`;
  [shop, browser] = await Promise.all([runShop({ OFFICE_PORT: String(port) }), openBrowser()]);
  await vi.waitUntil(() => shop.said().includes(`Back office: ${office}`), { timeout: 60_000 });
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

const JERSEY = "unity-home-jersey";
const heading = (page: Page, name: string | RegExp, level = 1) => page.getByRole("heading", { level, name });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const asked = (query: string) => ask(ownerUrl(shop), query);

async function signedIn(width: number) {
  const visitor = await newVisitor(browser, { viewport: { width, height: 800 } });
  await visitor.page.goto(office);
  await visitor.page.getByRole("button", { name: "Sign in as the demo’s owner" }).click();
  await heading(visitor.page, "Today").waitFor();
  return visitor;
}

/** Neither axe nor the width has anything to say of the screen. */
async function isInOrder(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

/** Somebody buys two jerseys in M, has them since an hour, and asks for one to go back, for money or for another size. */
async function asksForReturn(
  email: string,
  instead: string,
  reason = "size",
): Promise<{ number: string; reference: string }> {
  const shopper = await newCustomer(shop, email);
  await shopper.post("/Cart", { intent: "add", id: JERSEY, size: "M", quantity: "2" });
  const reference = await endPayment((await pressPay(shopper)).headers.get("location") ?? "", "success");
  await shopper.get(`/order/${reference}`);
  const at = "now() - interval '1 hour'";
  await asked(`update sales set fulfilled_at = ${at}, delivered_at = ${at} where reference = '${reference}'`);
  const piece = { [`quantity:${JERSEY}:M`]: "1", [`instead:${JERSEY}:M`]: instead };
  const answer = await shopper.post(`/order/${reference}/return`, { ...piece, reason, words: "Too small for me" });
  expect(answer.status).toBe(303);
  const [row] = await asked(`select number from returns where reference = '${reference}'`);
  return { number: String(row?.number), reference };
}

const refundsOf = (reference: string) =>
  asked(`select kobo::int, with_shipping, restock, state from refunds where reference = '${reference}'`);

describe.each([1440, 360])("at %i px", (width) => {
  test("a jersey is returned and refunded without its shipping, from the request to the provider's refund", async () => {
    const { number, reference } = await asksForReturn(`returns-${width}@example.com`, "money");
    const { page, complaints, context } = await signedIn(width);
    await page.getByRole("link", { name: /Returns waiting/ }).click();
    await heading(page, "Returns").waitFor();
    await isInOrder(page);
    await page.locator(`a[href="/returns/${number}"]:visible`).first().click();
    await heading(page, number).waitFor();
    await page.getByText("Within the rules.").waitFor();
    await page.getByText("Too small for me").first().waitFor();
    await isInOrder(page);
    await page.getByLabel(/^Your words to/).fill("Send it to 1 Broad Street");
    await press(page, "Approve");
    await page.getByText("Approved; the shopper is told.").waitFor();
    await isInOrder(page);
    await press(page, "The pieces are here");
    await page.getByText("Received; the shopper is told.").waitFor();
    await isInOrder(page);
    await page.getByRole("button", { name: "Give back ₦79,984" }).dblclick();
    await page.getByText("₦79,984 goes back; the shopper is told.").waitFor();
    await isInOrder(page);
    await expect
      .poll(() => refundsOf(reference), { timeout: 20_000 })
      .toEqual([{ kobo: 7_998_400, with_shipping: false, restock: true, state: "done" }]);
    await page.getByRole("link", { name: /^IR-/ }).first().click();
    await heading(page, /^IR-/).waitFor();
    await heading(page, "Returns", 2).waitFor();
    await page.getByRole("link", { name: "Return approved" }).waitFor();
    await isInOrder(page);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

test("of two who answer one return the later one sees both, and loses nothing", async () => {
  const { number } = await asksForReturn("two@example.com", "L");
  const [bisi, tunde] = [await signedIn(1440), await signedIn(360)];
  await bisi.page.goto(`${office}/returns/${number}`);
  await bisi.page.getByLabel(/^Your words to/).fill("We are sorry");
  await tunde.page.goto(`${office}/returns/${number}`);
  await press(tunde.page, "Approve, and hold the size");
  await tunde.page.getByText("the other size is held").first().waitFor();
  const [size] = await asked(`select reserved from product_sizes where product_id = '${JERSEY}' and size = 'L'`);
  expect(size?.reserved).toBe(1);
  await bisi.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // as when she comes back to it
  await bisi.page.getByText("approved this return").waitFor();
  expect(await bisi.page.getByLabel(/^Your words to/).inputValue()).toBe("We are sorry");
  await isInOrder(bisi.page);
  for (const { complaints, context } of [bisi, tunde]) {
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test("by the keyboard alone an exchange that came broken is answered, sent and closed", async () => {
  const { number } = await asksForReturn("keys@example.com", "L", "damaged");
  const { page, complaints, context } = await signedIn(1440);
  const key = (name: string) => page.keyboard.press(name);
  await page.goto(`${office}/returns`);
  await page.getByRole("searchbox").focus();
  await page.keyboard.type(number);
  await page.waitForURL(/q=RT/);
  await page.getByRole("link", { name: number }).focus();
  await key("Enter");
  await heading(page, number).waitFor();
  await page.getByLabel("Nothing has to be sent back").focus();
  await key("Space");
  await page.getByLabel(/^Your words to/).focus();
  await page.keyboard.type("We are sorry");
  await page.getByRole("button", { name: "Approve, and hold the size" }).focus();
  await context.setOffline(true);
  await key("Enter");
  await page.getByText("No connection: nothing was changed.").waitFor();
  expect(await page.getByLabel(/^Your words to/).inputValue()).toBe("We are sorry");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Approve, and hold the size" }).focus();
  await key("Enter");
  await page.getByLabel("Carrier").focus();
  await page.keyboard.type("GIG");
  await key("Tab");
  await page.keyboard.type("G-1");
  await key("Enter");
  await page.getByText("The other size is on its way; the shopper is told.").waitFor();
  await page.getByText("GIG, G-1").first().waitFor();
  await isInOrder(page);
  expect(complaints.filter((line) => !/ERR_INTERNET_DISCONNECTED/.test(line))).toEqual([]);
  await context.close();
});

test.each([1440, 360])(
  "customers, the newsletter and mails at %i px: found, looked at, and forgotten when nothing is open",
  async (width) => {
    const email = `forget-${width}@example.com`;
    const shopper = await newCustomer(shop, email);
    await shopper.post("/subscribe", { firstName: "Ada", email });
    const { page, complaints, context } = await signedIn(width);
    await page.goto(`${office}/customers?q=${email}`);
    await isInOrder(page);
    await page.getByRole("link", { name: "Ada Obi" }).filter({ visible: true }).first().click();
    await heading(page, "Ada Obi").waitFor();
    await isInOrder(page);
    await page.getByRole("link", { name: "Forget", exact: true }).click();
    await page.getByLabel("Type the email address").fill("somebody@else.example");
    await press(page, "Forget Ada Obi for good");
    await page.getByText("That is not the address of this account").waitFor();
    await isInOrder(page);
    await page.getByLabel("Type the email address").fill(email);
    await press(page, "Forget Ada Obi for good");
    await page.getByText("The customer is forgotten.").waitFor();
    expect(await asked(`select from users where email = '${email}'`)).toEqual([]);
    for (const path of ["/newsletter", "/mails"]) {
      await page.goto(office + path);
      await isInOrder(page);
    }
    expect(complaints.filter((line) => !/status of 422/.test(line))).toEqual([]);
    await context.close();
  },
);
