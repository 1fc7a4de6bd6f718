import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor, openBrowser } from "#tests/support/browser.ts";
import { addPastSales } from "#tests/support/past-sales.ts";
import { freePort, ownerUrl, type RunningShop, runShop } from "#tests/support/running-shop.ts";

let shop: RunningShop;
let browser: Browser;
let office: string;

beforeAll(async () => {
  const port = await freePort();
  office = `http://localhost:${port}`;
  [shop, browser] = await Promise.all([runShop({ OFFICE_PORT: String(port) }), openBrowser()]);
  await vi.waitUntil(() => shop.said().includes(`Back office: ${office}`), { timeout: 60_000 });
  await addPastSales(shop, 110);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

async function signedIn(width: number) {
  const visitor = await newVisitor(browser, { viewport: { width, height: 800 } });
  await visitor.page.goto(office);
  await visitor.page.getByRole("button", { name: "Sign in as the demo’s owner" }).click();
  await heading(visitor.page, "Today").waitFor();
  return visitor;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const asked = (query: string) => ask(ownerUrl(shop), query);
const count = async (from: string) => Number((await asked(`select count(*) n from ${from}`))[0]?.n);

/** Neither axe nor the width has anything to say of the screen. */
async function isInOrder(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

/** The number of an order that is to be sent, of which nothing has gone back: the oldest but so many. */
async function unsent(at: number): Promise<string> {
  const [order] = await asked(
    `select number from orders join sales on order_id = orders.id where fulfilled_at is null and packed_at is null
       and orders.shipping ->> 'deliveryType' = 'Home Delivery' and not exists (select from refunds where refunds.reference = sales.reference) order by orders.created_at limit 1 offset ${at}`,
  );
  return String(order?.number);
}

describe.each([1440, 360])("at %i px", (width) => {
  test("fifty orders are printed, and marked as sent with pasted numbers, once", async () => {
    const { page, complaints, context } = await signedIn(width);
    const sentBefore = await count("outbox where kind = 'order-sent'");
    await page.goto(`${office}/orders?view=to-send`);
    await isInOrder(page);
    const ticks = page.getByRole("row").getByRole("checkbox");
    if (width > 1000) await page.getByRole("checkbox", { name: "All on this page" }).check({ force: true });
    else {
      await ticks.nth(1).check({ force: true });
      await press(page, "More");
      await page.getByRole("menuitem", { name: "Choose all on this page" }).click();
    }
    await page.getByText("50 chosen").waitFor();
    await isInOrder(page);
    if (width > 1000) await page.getByRole("link", { name: "Slips" }).click();
    else {
      await press(page, "More");
      await page.getByRole("menuitem", { name: "Packing slips" }).click();
    }
    await heading(page, "Packing slips").waitFor();
    const slips = page.getByRole("article");
    expect(await slips.count()).toBe(50);
    const numbers = new URL(page.url()).searchParams.get("numbers")?.split(",") ?? [];
    const printed = await page.pdf({ preferCSSPageSize: true });
    expect(printed.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(50);

    await page.goto(`${office}/orders/labels?numbers=${numbers.join(",")}`);
    expect(await page.getByRole("article").count()).toBe(50);
    await isInOrder(page);

    await page.goto(`${office}/orders/parcels?numbers=${numbers.join(",")}`);
    const rows = numbers.map((number, index) => `GIG-${index}\t${number}\tGIG Logistics`).join("\n");
    await page.getByLabel("Rows (up").fill(`Tracking\tOrder\tCarrier\n${rows}\nIR-0000-00\tGIG Logistics\tGIG-99`);
    await page.getByText("50 to mark, 1 with a mistake").waitFor();
    await page.getByText("There is no such order").waitFor();
    await isInOrder(page);
    await press(page, "Mark 50 as sent");
    await page.getByText("50 orders are marked as sent.").waitFor();
    await isInOrder(page);
    expect(await count("outbox where kind = 'order-sent'")).toBe(sentBefore + 50);
    await page.getByRole("link", { name: "Paste more" }).click();
    await page.getByLabel("Rows (up").fill(rows);
    await page.getByText("0 to mark, 50 sent already").waitFor();
    expect(await page.getByRole("button", { name: "Mark 0 as sent" }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a refund in part that is pressed twice is one", async () => {
    const { page, complaints, context } = await signedIn(width);
    const number = await unsent(0);
    await page.goto(`${office}/orders/${number}?do=refund`);
    await page.getByRole("heading", { name: "Refund a part" }).waitFor();
    await page.getByRole("button", { name: "One more" }).click();
    await page.getByLabel("Reason").selectOption("Too small");
    await isInOrder(page);
    await page.getByRole("button", { name: "Give back ₦79,984" }).dblclick();
    await page.getByText("₦79,984 goes back; the shopper is told.").waitFor();
    expect(
      await count(
        `refunds join payments using (reference) join orders on orders.id = order_id where number = '${number}'`,
      ),
    ).toBe(1);
    await page.getByText("1 given back").waitFor();
    await isInOrder(page);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("of two on one order the later one sees both, and loses nothing", async () => {
    const [bisi, tunde] = [await signedIn(width), await signedIn(width)];
    const number = await unsent(1);
    await bisi.page.goto(`${office}/orders/${number}?do=address`);
    await bisi.page.getByLabel("Landmark").fill("Behind the filling station");
    await isInOrder(bisi.page);
    await tunde.page.goto(`${office}/orders/${number}`);
    await press(tunde.page, "Mark as packed");
    await tunde.page.getByText("Packed.").waitFor();
    const submit = bisi.page.getByRole("button", { name: "Change the address" });
    if (await submit.isEnabled()) await submit.click();
    await bisi.page.getByText("packed this order").waitFor();
    await isInOrder(bisi.page);
    expect(await bisi.page.getByLabel("Landmark").inputValue()).toBe("Behind the filling station");
    await press(bisi.page, "Go on with mine");
    await submit.click();
    await bisi.page.getByText("Address changed: landmark.").waitFor();
    await bisi.page.getByText("Near Behind the filling station").waitFor();
    for (const { complaints, context } of [bisi, tunde]) {
      expect(complaints.filter((line) => !/status of 422/.test(line))).toEqual([]);
      await context.close();
    }
  });
});

test("by the keyboard alone an order is found, packed, noted and sent", async () => {
  const { page, complaints, context } = await signedIn(1440);
  const key = (name: string) => page.keyboard.press(name);
  const number = await unsent(2);
  await page.goto(`${office}/orders`);
  await page.getByRole("searchbox", { name: "Order, name, email or phone" }).focus();
  await page.keyboard.type(number);
  await page.waitForURL(/q=IR/);
  await page.getByText("1 order, ").waitFor();
  await page.getByRole("link", { name: number }).focus();
  await key("Enter");
  await heading(page, number).waitFor();
  await page.getByRole("button", { name: "Mark as packed" }).focus();
  await key("Enter");
  await page.getByText("Packed.").waitFor();
  await page.getByLabel("Note for the team").focus();
  await page.keyboard.type("Wants it on Saturday");
  await key("Enter");
  await page.getByRole("listitem").filter({ hasText: "Wants it on Saturday" }).waitFor();
  await page.getByRole("link", { name: "Mark as sent" }).focus();
  await key("Enter");
  await page.getByRole("heading", { name: "Mark as sent" }).waitFor();
  await key("Escape");
  await page.getByRole("heading", { name: "Mark as sent" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "More" }).focus();
  await key("Enter");
  await page.getByRole("menuitem", { name: "Send a mail again" }).focus();
  await key("Escape");
  await page.getByRole("link", { name: "Mark as sent" }).focus();
  await key("Enter");
  await page.getByLabel("Carrier").focus();
  await page.keyboard.type("DHL");
  await key("Tab");
  await page.keyboard.type("4711");
  await key("Enter");
  await page.getByText("Sent off; the shopper is told.").waitFor();
  await page.getByText("DHL, 4711").first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
