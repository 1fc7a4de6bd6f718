import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { openBrowser } from "#tests/support/browser.ts";
import { freePort } from "#tests/support/free-port.ts";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { pastSales } from "#tests/support/past-sales.ts";
import { type Desk, sitDown } from "./desk.ts";
import { type Figure, round } from "./measure.ts";
import * as walks from "./office-walks.ts";
import { JERSEY, UNSENT } from "./office-walks.ts";
import { type BenchShop, withShop } from "./shop.ts";

const ORDERS = 60;
const WITHIN = 30_000; // ms

/** A task of the owner that begins at the screen Today. `done` is SQL that finds a row once the task is done. */
type Task = {
  name: string;
  before?(shop: BenchShop): Promise<unknown>;
  walk(desk: Desk, shop: BenchShop): Promise<unknown>;
  done?: string;
};

const TASKS: Task[] = [
  { name: "find an order by phone", walk: walks.findByPhone },
  { name: "print the slips of all unsent", walk: walks.printSlips },
  {
    name: "send 50, numbers pasted",
    walk: walks.sendFifty,
    done: `select from sales where tracking like 'GIG-%' having count(*) = ${UNSENT}`,
  },
  {
    name: "send one order with its number",
    before: (shop) => buyTwo(shop, "one@example.com"),
    walk: walks.sendOne,
    done: "select from sales where tracking = 'DHL-4711' and fulfilled_at is not null",
  },
  {
    name: "refund one of two pieces",
    before: (shop) => buyTwo(shop, "part@example.com"),
    walk: walks.refundOne,
    done: "select from refunds where state = 'done' and not with_shipping and kobo = 7998400",
  },
  {
    name: "approve a return",
    before: askForReturn,
    walk: walks.approve,
    done: "select from returns where state = 'approved'",
  },
  {
    name: "say received, and refund it",
    walk: walks.receiveAndRefund,
    done: "select from returns join refunds on refunds.id = refund_id where returns.state = 'done' and refunds.state = 'done'",
  },
  {
    name: "change the stock of one size",
    walk: walks.changeStock,
    done: `select from product_sizes where product_id = '${JERSEY}' and size = 'XL' and on_hand = 37`,
  },
  {
    name: "paste the stock of three products",
    walk: walks.pasteStock,
    done: "select from product_sizes where on_hand between 61 and 75 having count(*) = 15",
  },
  {
    name: "change a price",
    walk: walks.changePrice,
    done: `select from products where id = '${JERSEY}' and price_cents = 5199`,
  },
  {
    name: "publish a product, 3 pictures",
    walk: walks.publish,
    done: "select from products where id = 'palm-jersey' and not hidden and jsonb_array_length(images) = 3",
  },
];

/**
 * Measures what an owner does most often, at 1440 px: seconds from the screen Today until a screen says that it is
 * done, and presses.
 */
export async function officeTasks(): Promise<Figure[]> {
  const office = `http://localhost:${await freePort()}`;
  return withShop(
    async (shop) => {
      for (const statement of pastSales(ORDERS, UNSENT)) await shop.sql(statement);
      await until(() => shop.said().includes(`Back office: ${office}`), "The office is not open");
      const browser = await openBrowser();
      try {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
        await signIn(context, office);
        const figures: Figure[] = [];
        for (const task of TASKS) figures.push(...(await perform(task, context, office, shop)));
        return figures;
      } finally {
        await browser.close();
      }
    },
    { OFFICE_PORT: new URL(office).port },
  );
}

async function perform(task: Task, context: BrowserContext, office: string, shop: BenchShop): Promise<Figure[]> {
  const { name, before, walk, done } = task;
  await before?.(shop);
  const desk = await sitDown(context);
  await desk.page.goto(office, { waitUntil: "networkidle" });
  const begun = performance.now();
  try {
    await walk(desk, shop);
    const seconds = (performance.now() - begun) / 1000;
    // The provider's part is done a moment after the press.
    if (done) await until(async () => (await shop.sql(done)).rows.length > 0, `Nothing was found by: ${done}`);
    process.stdout.write(`${name}: ${desk.pressed.join(" > ")}\n`);
    return [
      { name: `${name}: presses`, value: desk.pressed.length, unit: "" },
      { name: `${name}: time`, value: round(seconds, 1), unit: "s" },
    ];
  } catch (error) {
    throw new Error(`${name}, at ${desk.page.url()} after ${desk.pressed.join(", ")}`, { cause: error });
  } finally {
    await desk.page.close();
  }
}

async function until(isSo: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  for (const last = Date.now() + WITHIN; !(await isSo()); await sleep(100))
    if (Date.now() > last) throw new Error(otherwise);
}

async function signIn(context: BrowserContext, office: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(office);
  await page.getByRole("button", { name: "Sign in as the demo’s owner" }).click();
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  await page.close();
}

/** A new customer buys two jerseys in M. Returns the customer and the payment's reference. */
async function buyTwo(shop: BenchShop, email: string) {
  const shopper = await newCustomer(shop, email);
  await shopper.post("/Cart", { intent: "add", id: JERSEY, size: "M", quantity: "2" });
  const reference = await endPayment((await pressPay(shopper)).headers.get("location") ?? "", "success");
  await shopper.get(`/order/${reference}`);
  return { shopper, reference };
}

/** A customer asks to return one of two jerseys for money, an hour after delivery. */
async function askForReturn(shop: BenchShop): Promise<void> {
  const { shopper, reference } = await buyTwo(shop, "back@example.com");
  const at = "now() - interval '1 hour'";
  await shop.sql(`update sales set fulfilled_at = ${at}, delivered_at = ${at} where reference = $1`, [reference]);
  const piece = { [`quantity:${JERSEY}:M`]: "1", [`instead:${JERSEY}:M`]: "money" };
  await shopper.post(`/order/${reference}/return`, { ...piece, reason: "size", words: "Too small" });
}
