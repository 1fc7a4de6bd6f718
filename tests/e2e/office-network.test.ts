import pg from "pg";
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { asked, button, count, heading, shop, staff, useOffice, WAYS } from "#tests/support/office-in-browser.ts";
import { addPastSales } from "#tests/support/past-sales.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";

useOffice({ SHOP_TIMEZONE: "Africa/Lagos" });
beforeAll(() => addPastSales(shop, 20));

const [MOUSE] = WAYS;
const CUT_OFF = /status of (422|500|503)|ERR_INTERNET_DISCONNECTED|ERR_FAILED/;
const DATA = /\.data(\?|$)/;

/** The number of an order that is to be sent. */
async function unsent(at: number): Promise<string> {
  const [order] = await asked(
    `select number from orders join sales on order_id = orders.id where fulfilled_at is null
       and orders.shipping ->> 'deliveryType' = 'Home Delivery' and not exists (select from refunds where refunds.reference = sales.reference) order by orders.created_at limit 1 offset ${at}`,
  );
  return String(order?.number);
}

/** The screen is loaded anew, as it is every few seconds. */
const look = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

/** The scripts of all screens are in the browser's cache. */
const hasAllScripts = (page: Page) =>
  page.waitForFunction(() => {
    const had = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    const { routes } = Reflect.get(window, "__reactRouterManifest") as { routes: Record<string, { module: string }> };
    return Object.values(routes).every(({ module }) => had.includes(module));
  });

test("while the database fails, what is typed stays, and so does the screen", async () => {
  const { page, isInOrder, leaves } = await staff(MOUSE, `/orders/${await unsent(0)}?do=refund`);
  await button(page, "One more").click();
  await page.getByLabel("Words for").fill("We are sorry");
  onTestFinished(async () => void (await asked("alter table if exists gone rename to order_notes")));
  await asked("alter table order_notes rename to gone");
  await look(page);
  await page.getByText("The office has had trouble since").waitFor();
  await isInOrder();
  await asked("alter table gone rename to order_notes");
  await button(page, "Look now").click();
  await page.getByText("The office has had trouble since").waitFor({ state: "detached" });
  expect(await page.getByLabel("Words for").inputValue()).toBe("We are sorry");
  await leaves(CUT_OFF);
});

test("a press whose answer is lost says so beside the form, and pressed again is done once", async () => {
  const number = await unsent(1);
  const { page, leaves } = await staff(MOUSE, `/orders/${number}?do=refund`);
  await button(page, "One more").click();
  await page.getByLabel("Reason").selectOption("Too small");
  await page.getByLabel("Words for").fill("We are sorry");
  await page.route(
    DATA,
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 503, body: "away" });
    },
    { times: 1 },
  );
  const submit = page.getByRole("button", { name: "Give back ₦79,984" });
  await submit.click();
  await page.getByText("it is not known whether it was done").waitFor();
  expect(await page.getByLabel("Words for").inputValue()).toBe("We are sorry");
  await submit.click();
  await page.getByText("gave money back").first().waitFor();
  expect(await page.getByLabel("Words for").inputValue()).toBe("We are sorry");
  await button(page, "Go on with mine").click();
  await submit.click();
  await page.getByText("₦79,984 goes back; the shopper is told.").waitFor();
  expect(
    await count(
      `refunds join payments using (reference) join orders on orders.id = order_id where number = '${number}'`,
    ),
  ).toBe(1);
  await leaves(CUT_OFF);
});

test("without a connection a link, a panel and a search leave the screen as it is, and can be tried again", async () => {
  const number = await unsent(2);
  const { page, context, isInOrder, leaves } = await staff(MOUSE, `/orders/${number}`);
  const devices = await context.newCDPSession(page);
  await devices.send("Emulation.setTimezoneOverride", { timezoneId: "Pacific/Kiritimati" });
  await hasAllScripts(page);
  await page.getByLabel("Note for the team").fill("Half of a note");
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.evaluate(() => scrollTo(0, 120));
  await context.setOffline(true);
  const time = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", hour: "2-digit" });
  const hours = [time.format(Date.now())];

  await page
    .getByRole("navigation", { name: "Office" })
    .first()
    .getByRole("link", { name: /^Orders/ })
    .click();
  await page.getByText("What you wanted to see could not be loaded.").waitFor();
  hours.push(time.format(Date.now()));
  expect(hours).toContain((await page.getByText("No connection since").locator("time").innerText()).slice(0, 2));
  await heading(page, number).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(120);
  await button(page, "Stay here").click();
  await page.getByText("What you wanted to see could not be loaded.").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Mark as sent" }).click();
  await page.getByText("What you wanted to see could not be loaded.").waitFor();
  expect(await page.getByLabel("Note for the team").inputValue()).toBe("Half of a note");
  expect(page.url()).toMatch(new RegExp(`/orders/${number}$`));
  await isInOrder();

  await context.setOffline(false);
  await page.getByText("There is an answer again.").waitFor();
  await button(page, "Try again").click();
  await heading(page, "Mark as sent", 2).waitFor();
  await page.getByText("What you wanted to see could not be loaded.").waitFor({ state: "detached" });

  await page.goto(page.url().replace(/\/orders\/.*/, "/orders"));
  await context.setOffline(true);
  const rows = await page.getByRole("row").count();
  await page.getByRole("searchbox").fill(number);
  await page.getByText("What you wanted to see could not be loaded.").waitFor();
  expect(await page.getByRole("row").count()).toBe(rows);
  expect(await page.getByRole("searchbox").inputValue()).toBe(number);
  await context.setOffline(false);
  await button(page, "Try again").click();
  await page.getByText("1 order, ").waitFor();
  await leaves(CUT_OFF);
});

test("a page that shows how far long work is stays while the network is away", async () => {
  const number = await unsent(3);
  const { page, context, leaves } = await staff(MOUSE, `/orders/parcels`);
  const holder = new pg.Client({ connectionString: ownerUrl(shop) });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin");
  await holder.query(`select from orders where number = '${number}' for update`);
  await page.getByLabel("Rows (up").fill(`${number}\tGIG Logistics\tGIG-1`);
  await button(page, "Mark 1 as sent").click();
  await page.getByText("0 of 0").waitFor();
  await context.setOffline(true);
  await page.getByText("No connection since").waitFor();
  await page.getByText("0 of 0").waitFor();
  await holder.query("rollback");
  await context.setOffline(false);
  await page.getByText("1 order is marked as sent.").waitFor();
  await leaves(CUT_OFF);
});

test("pasted rows stay when their preview cannot be asked for", async () => {
  const { page, context, leaves } = await staff(MOUSE, `/orders/parcels`);
  await hasAllScripts(page);
  await context.setOffline(true);
  await page.getByLabel("Rows (up").fill("IR-0000-00\tGIG-1");
  await page.getByText("No connection since").waitFor();
  expect(await page.getByLabel("Rows (up").inputValue()).toBe("IR-0000-00\tGIG-1");
  await context.setOffline(false);
  await page.getByText("There is no such order").waitFor();
  await leaves(CUT_OFF);
});

test("what takes its time is on its way: a bar at the top says so, and a list that is searched is dimmed", async () => {
  const { page, leaves } = await staff(MOUSE, "/orders");
  const bar = page.locator(".pending-bar");
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(DATA, async (route) => {
    if (route.request().url().includes("q=")) await goesOn;
    await route.continue();
  });
  expect(await bar.count()).toBe(0);
  await page.getByRole("searchbox").fill("nobody at all");
  await bar.waitFor();
  await page.locator("[aria-live=polite]").getByText("Loading", { exact: true }).waitFor();
  await expect.poll(() => page.getByRole("table").evaluate((table) => getComputedStyle(table).opacity)).toBe("0.5");
  expect(await bar.evaluate((one) => getComputedStyle(one).animationName)).toBe("pending-bar");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await bar.evaluate((one) => getComputedStyle(one).animationName)).toBe("none");
  goOn();
  await bar.waitFor({ state: "detached" });
  await leaves();
});

test("a delivery rate that is typed while another is saved is still to be saved", async () => {
  const { page, leaves } = await staff(MOUSE, "/delivery");
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(DATA, async (route) => {
    if (route.request().method() === "POST") await goesOn;
    await route.continue();
  });
  await page.getByLabel("Lagos").fill("3.60");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await button(page, "Save").click();
  await sent;
  await page.getByLabel("Ogun").fill("4.70");
  goOn();
  await page.getByRole("status").getByText("1 change", { exact: true }).waitFor();
  expect(await page.getByLabel("Ogun").inputValue()).toBe("4.70");
  await button(page, "Save").click();
  await page.getByText("The checkout asks for it from now on.").waitFor();
  await leaves();
});
