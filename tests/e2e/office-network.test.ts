import pg from "pg";
import type { Page, Request } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import {
  asked,
  button,
  count,
  heading,
  looksNoMore,
  office,
  shop,
  staff,
  useOffice,
  WAYS,
} from "#tests/support/office-in-browser.ts";
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

/** Makes the screen reload its data, as it does every few seconds. */
const look = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

const isPost = (request: Request) => request.method() === "POST";

/**
 * Holds back the screen's requests for data, or those that `isMeant` selects, until the returned function is called.
 */
async function holdBack(page: Page, isMeant: (request: Request) => boolean = () => true): Promise<() => void> {
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(DATA, async (route) => {
    if (isMeant(route.request())) await goesOn;
    await route.continue();
  });
  return goOn;
}

/** The screens whose scripts are among these URLs, by the file names of their routes. */
const screensOf = (page: Page, addresses: string[]) =>
  page.evaluate((fetched) => {
    const paths = fetched.map((address) => new URL(address).pathname);
    const { routes } = Reflect.get(window, "__reactRouterManifest") as { routes: Record<string, { module: string }> };
    return Object.entries(routes)
      .flatMap(([id, { module }]) => (paths.includes(module) ? id.replace("routes/", "") : []))
      .toSorted();
  }, addresses);

const MENU = ["orders", "products", "returns", "today"];

/** Waits until the scripts of the menu's first screens, and of `others`, are in the browser's cache. */
const hasScripts = (page: Page, ...others: string[]) =>
  expect
    .poll(
      async () => {
        const had = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
        return screensOf(page, had);
      },
      { timeout: 30_000 },
    )
    .toEqual(expect.arrayContaining([...MENU, ...others]));

test("ahead of time only the scripts of the menu's first screens are fetched, and none to save data", async () => {
  const { page, leaves } = await staff(MOUSE, "/me");
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  await hasScripts(page);
  await page.evaluate(() => fetch("/healthz")); // asked for after whatever was asked for ahead
  expect((await screensOf(page, fetched)).filter((one) => !["layout", "me", "root"].includes(one))).toEqual(MENU);

  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await page.clock.install();
  fetched.length = 0;
  await page.reload();
  await heading(page, "Passkeys", 2).waitFor();
  await page.clock.runFor(10_000);
  await page.evaluate(() => fetch("/healthz"));
  expect(await screensOf(page, fetched)).toEqual(["layout", "me", "root"]);
  await leaves();
});

test("without a connection a screen whose script was never fetched cannot be opened, and what is typed stays", async () => {
  const { page, context, leaves } = await staff(MOUSE, "/orders/parcels");
  await hasScripts(page, "orders-parcels-plan");
  await page.getByLabel("Rows (up").fill("IR-0000-00\tGIG-1");
  await context.setOffline(true);
  await page.getByRole("navigation", { name: "Office" }).first().getByRole("link", { name: "Staff" }).click();
  await page.getByText("The page you wanted couldn’t be loaded.").waitFor();
  expect(await page.getByLabel("Rows (up").inputValue()).toBe("IR-0000-00\tGIG-1");
  await context.setOffline(false);
  await button(page, "Try again").click();
  await heading(page, "Staff").waitFor();
  await leaves(CUT_OFF);
});

test.each(WAYS.slice(0, 2))("the notice of a lost network is never over what saves, at $width px", async (way) => {
  const { page, context, leaves } = await staff(way, "/delivery");
  const isFree = async (name: string) => {
    await context.setOffline(true);
    const notice = page.getByText("No connection since");
    await notice.waitFor();
    expect(await notice.evaluate((one) => one.closest(".away")?.getBoundingClientRect().top)).toBe(0);
    const save = button(page, name);
    const isOver = await save.evaluate((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect(isOver, name).toBe(true);
    await context.setOffline(false);
  };
  await page.getByLabel("Lagos").fill("3.60");
  await isFree("Save");
  await page.goto(new URL("/shop/hero", page.url()).href);
  await isFree("Save the slides");
  await page.goto(new URL("/shop", page.url()).href);
  await isFree("Save");
  await page.goto(new URL("/products/unity-home-jersey", page.url()).href);
  await page.getByRole("textbox", { name: /^Title/ }).fill("Another");
  await isFree("Save");
  await leaves(CUT_OFF);
});

test("while the database fails, the screen and what is typed stay", async () => {
  const { page, isInOrder, leaves } = await staff(MOUSE, `/orders/${await unsent(0)}?do=refund`);
  await button(page, "One more").click();
  await page.getByLabel("Words for").fill("We are sorry");
  onTestFinished(async () => void (await asked("alter table if exists gone rename to order_notes")));
  await asked("alter table order_notes rename to gone");
  await look(page);
  await page.getByText("The office has been having trouble since").waitFor();
  await looksNoMore(page);
  await isInOrder();
  await asked("alter table gone rename to order_notes");
  await button(page, "Check now").click();
  await page.getByText("The office has been having trouble since").waitFor({ state: "detached" });
  expect(await page.getByLabel("Words for").inputValue()).toBe("We are sorry");
  await leaves(CUT_OFF);
});

test("a press whose answer is lost says so beside the form, and pressed again is done once", async () => {
  const number = await unsent(1);
  const { page, leaves } = await staff(MOUSE, `/orders/${number}?do=refund`);
  await button(page, "One more").click();
  await page.getByLabel("Reason").selectOption("Too small");
  await page.getByLabel("Words for").fill("We are sorry");
  await looksNoMore(page);
  await page.route(
    DATA,
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 503, body: "away" });
    },
    { times: 1 },
  );
  const submit = page.getByRole("button", { name: "Refund ₦79,984" });
  await submit.click();
  await page.getByText("we can’t tell whether it was done").waitFor();
  expect(await page.getByLabel("Words for").inputValue()).toBe("We are sorry");
  await submit.click();
  await page.getByText("₦79,984 goes back; the shopper is emailed.").waitFor();
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
  await hasScripts(page);
  await page.getByLabel("Note for the team").fill("Half of a note");
  await page.setViewportSize({ width: 1440, height: 500 });
  const time = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", hour: "2-digit" });
  const hours = [time.format(Date.now())];
  await context.setOffline(true);
  await page.getByText("No connection since").waitFor(); // the note, which has the focus, is scrolled out from under it
  await page.evaluate(() => scrollTo(0, 120));

  await page
    .getByRole("navigation", { name: "Office" })
    .first()
    .getByRole("link", { name: /^Orders/ })
    .click();
  await page.getByText("The page you wanted couldn’t be loaded.").waitFor();
  hours.push(time.format(Date.now()));
  expect(hours).toContain((await page.getByText("No connection since").locator("time").innerText()).slice(0, 2));
  await heading(page, number).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(120);
  await button(page, "Stay here").click();
  await page.getByText("The page you wanted couldn’t be loaded.").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Mark as sent" }).click();
  await page.getByText("The page you wanted couldn’t be loaded.").waitFor();
  expect(await page.getByLabel("Note for the team").inputValue()).toBe("Half of a note");
  expect(page.url()).toMatch(new RegExp(`/orders/${number}$`));
  await isInOrder();

  await context.setOffline(false);
  await page.getByText("You’re connected again.").waitFor();
  await button(page, "Try again").click();
  await heading(page, "Mark as sent", 2).waitFor();
  await page.getByText("The page you wanted couldn’t be loaded.").waitFor({ state: "detached" });

  await page.goto(page.url().replace(/\/orders\/.*/, "/orders"));
  await context.setOffline(true);
  const rows = await page.getByRole("row").count();
  await page.getByRole("searchbox").fill(number);
  await page.getByText("The page you wanted couldn’t be loaded.").waitFor();
  expect(await page.getByRole("row").count()).toBe(rows);
  await context.setOffline(false);
  await button(page, "Try again").click();
  await page.getByText("1 order, ").waitFor();
  await leaves(CUT_OFF);
});

test("a page that shows the progress of long work stays without a connection", async () => {
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
  await holder.query("rollback"); // the work waits five seconds at most; the page cannot hear of its end
  await page.getByText("No connection since").waitFor();
  await page.getByText("0 of 0").waitFor();
  await context.setOffline(false);
  await page.getByText("1 order is marked as sent.").waitFor();
  await leaves(CUT_OFF);
});

test("pasted rows stay when their preview cannot be asked for", async () => {
  const { page, context, leaves } = await staff(MOUSE, `/orders/parcels`);
  await hasScripts(page, "orders-parcels-plan");
  await context.setOffline(true);
  await page.getByLabel("Rows (up").fill("IR-0000-00\tGIG-1");
  await page.getByText("No connection since").waitFor();
  expect(await page.getByLabel("Rows (up").inputValue()).toBe("IR-0000-00\tGIG-1");
  await context.setOffline(false);
  await page.getByText("This order doesn’t exist").waitFor();
  await leaves(CUT_OFF);
});

test("during a slow request a bar is at the top, and a list that is searched is dimmed", async () => {
  const { page, leaves } = await staff(MOUSE, "/orders");
  const bar = page.locator(".pending-bar");
  const goOn = await holdBack(page, (request) => request.url().includes("q="));
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

test("a search that gets no answer stays typed when its field is left", async () => {
  const { page, leaves } = await staff(MOUSE, "/orders");
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(DATA, (route) => goesOn.then(() => route.abort()));
  await page.getByRole("searchbox").fill("Ade");
  await page.getByRole("searchbox").press("Tab");
  await page.locator(".pending-bar").waitFor();
  goOn();
  await page.locator(".pending-bar").waitFor({ state: "detached" });
  await button(page, "Stay here").click();
  expect(await page.getByRole("searchbox").inputValue()).toBe("Ade");
  await leaves(CUT_OFF);
});

test("the message about a change stays, and its panel stays closed, when the data are reloaded", async () => {
  const { page, hand, leaves } = await staff(MOUSE, `/orders/${await unsent(2)}?do=refund`);
  await button(page, "One more").click();
  await page.getByLabel("Reason").selectOption("Too small");
  await page.getByRole("button", { name: /^Refund/ }).click();
  const said = page.getByText("goes back; the shopper is emailed.");
  await said.waitFor();
  let looks = 0;
  page.on("requestfinished", (request) => {
    if (request.method() === "GET" && DATA.test(request.url())) looks++;
  });
  await expect
    .poll(async () => {
      await look(page);
      return looks;
    })
    .toBeGreaterThan(2); // one may still belong to the press
  await said.waitFor();
  expect(await page.getByLabel("Words for").count()).toBe(0);
  await hand.pick(button(page, "More"), "Send an email again");
  await heading(page, "Send an email again", 2).waitFor();
  await leaves();
});

test("a row that is pressed right after the last letter opens, however late its data come", async () => {
  const { page, leaves } = await staff(MOUSE, "/orders");
  const row = page.getByRole("link", { name: await unsent(0), exact: true });
  const goOn = await holdBack(page);
  await row.waitFor();
  await page.clock.install();
  await page.getByRole("searchbox").pressSequentially("IR");
  await row.click();
  await page.clock.runFor(1000);
  await page.locator(".pending-bar").waitFor();
  goOn();
  await page.getByText("Note for the team").waitFor();
  await leaves();
});

/** Opens the list of orders. Scripts of an order's screen are held back until `sendScripts` is called. */
async function withoutOrderScripts() {
  const { page, leaves } = await staff(MOUSE, "/orders");
  const row = page.getByRole("link", { name: await unsent(0), exact: true });
  await row.waitFor();
  const { promise: come, resolve: sendScripts } = Promise.withResolvers<void>();
  await page.route(/\/assets\/order-/, (route) => come.then(() => route.continue()));
  return { page, row, sendScripts, leaves };
}

test("a row that is pressed before its screen's scripts are here opens, though a search's rows come first", async () => {
  const { page, row, sendScripts, leaves } = await withoutOrderScripts();
  const goOn = await holdBack(page);
  await page.getByRole("searchbox").pressSequentially("IR");
  await row.click();
  await page.locator(".pending-bar").waitFor();
  goOn();
  await expect.poll(() => page.url()).toContain("q=IR");
  sendScripts();
  await page.getByText("Note for the team").waitFor();
  await leaves();
});

test.each(["is shown", "is on its way"])(
  "what is pressed after such a row opens: the other screen %s",
  async (when) => {
    const { page, row, sendScripts, leaves } = await withoutOrderScripts();
    await row.click();
    await page.locator(".pending-bar").waitFor();
    const goOn = await holdBack(page);
    await page.getByRole("link", { name: /^Abroad/ }).click();
    if (when === "is shown") goOn();
    if (when === "is shown") await expect.poll(() => page.url()).toContain("abroad");
    sendScripts();
    goOn();
    await page.locator(".pending-bar").waitFor({ state: "detached" });
    expect(await page.getByRole("link", { name: /^Abroad/ }).getAttribute("aria-current")).toBe("page");
    await leaves();
  },
);

test("a filter that is set while another one's rows are loading keeps the other one", async () => {
  const { page, leaves } = await staff(MOUSE, "/orders?view=all");
  const goOn = await holdBack(page);
  // By what it asks for: the screen is loaded anew every few seconds, too.
  const asked = (name: string) =>
    page.waitForRequest(
      (request) => DATA.test(request.url()) && Boolean(new URL(request.url()).searchParams.get(name)),
    );
  await Promise.all([asked("sent"), page.getByLabel("Sent or not sent").selectOption("Not sent")]);
  await page.locator(".pending-bar").waitFor(); // the screen knows that it is on its way
  const [second] = await Promise.all([asked("delivery"), page.getByLabel("Delivery").selectOption("Pick-up")]);
  goOn();
  await page.waitForURL(/delivery=pick-up/);
  expect(Object.fromEntries(new URL(second.url()).searchParams)).toMatchObject({
    view: "all",
    sent: "no",
    delivery: "pick-up",
  });
  expect(await page.getByLabel("Sent or not sent").inputValue()).toBe("no");
  await leaves();
});

test("a filter that is chosen before the script has come is set when it has", async () => {
  const { page, leaves } = await staff(MOUSE, "/orders?view=all");
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/\.js$/, (route) => goesOn.then(() => route.continue()));
  await page.reload({ waitUntil: "commit" });
  await page.getByLabel("Sent or not sent").selectOption("Not sent");
  goOn();
  await page.waitForURL(/sent=no/);
  await expect.poll(() => page.getByLabel("Sent or not sent").inputValue()).toBe("no");
  await page.reload({ waitUntil: "commit" });
  await page.getByRole("searchbox").fill("nobody at all");
  await page.waitForURL(/q=nobody/);
  expect(new URL(page.url()).searchParams.get("sent")).toBe("no");
  await leaves();
});

test("what is typed into a form of the shop's values while it is saved is still to be saved", async () => {
  const { page, leaves } = await staff(MOUSE, "/shop");
  const goOn = await holdBack(page, isPost);
  const saved = page.getByText("Saved.", { exact: false });
  await page.getByLabel("Instagram").fill("https://instagram.example/one");
  const sent = page.waitForRequest(isPost);
  await button(page, "Save").click();
  await sent;
  await page.getByLabel("Instagram").fill("https://instagram.example/two");
  const loadedAnew = page.waitForResponse(
    (response) => response.request().method() === "GET" && DATA.test(response.url()),
  );
  goOn();
  await loadedAnew;
  await button(page, "Save").click();
  await saved.waitFor();
  expect(await page.getByLabel("Instagram").inputValue()).toBe("https://instagram.example/two");
  await page.reload();
  expect(await page.getByLabel("Instagram").inputValue()).toBe("https://instagram.example/two");
  await leaves();
});

test("what is typed into the shop's values before the script comes is still to be saved when it has", async () => {
  const { page, leaves } = await staff(MOUSE, "/me");
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(/\.js$/, (route) => goesOn.then(() => route.continue()));
  await page.goto(`${office}/shop`, { waitUntil: "commit" });
  await page.getByLabel("Text (").fill("Early");
  await page.getByLabel("Name and address").fill("Irepo\nIkeja");
  goOn();
  await page.getByText("Not saved yet").waitFor();
  expect(await page.getByLabel("Text (").inputValue()).toBe("Early");
  expect(await page.getByLabel("Name and address").inputValue()).toBe("Irepo\nIkeja");
  await leaves();
});

test("a value that was saved here and put back elsewhere is shown as it is, and can be saved again", async () => {
  const [here, there] = [await staff(MOUSE, "/shop"), await staff(MOUSE, "/shop")];
  const field = ({ page }: typeof here) => page.getByLabel("Instagram");
  const save = async (one: typeof here, value: string) => {
    await field(one).fill(value);
    await button(one.page, "Save").click();
    await one.page.getByText("Saved.", { exact: false }).waitFor();
  };
  const before = await field(here).inputValue();
  await save(here, "https://instagram.example/here");
  await there.page.reload();
  await save(there, before);
  await expect
    .poll(async () => {
      await look(here.page);
      return field(here).inputValue();
    })
    .toBe(before);
  await save(here, "https://instagram.example/again");
  await there.page.reload();
  expect(await field(there).inputValue()).toBe("https://instagram.example/again");
  await here.leaves();
  await there.leaves();
});

test("saved values stay in the form, without a conflict, if the data cannot be reloaded at once", async () => {
  const { page, leaves } = await staff(MOUSE, "/shop");
  const field = page.getByLabel("Instagram");
  const saved = page.getByText("Saved. The shop shows it now.");
  await page.route(DATA, (route) => (isPost(route.request()) ? route.continue() : route.abort()));
  await field.fill("https://instagram.example/saved");
  await button(page, "Save").click();
  await saved.waitFor();
  await page.getByText("No connection since").waitFor();
  expect(await field.inputValue()).toBe("https://instagram.example/saved");
  await field.fill("https://instagram.example/next");
  await page.unroute(DATA);
  await look(page);
  await expect.poll(() => page.locator('input[name="was"]').inputValue()).toContain("instagram.example/saved");
  expect(await field.inputValue()).toBe("https://instagram.example/next");
  await button(page, "Save").click();
  await saved.waitFor();
  expect(await asked("select instagram_url from shop_settings")).toEqual([
    { instagram_url: "https://instagram.example/next" },
  ]);
  await leaves(CUT_OFF);
});

test("of two who change the shop’s values each keeps what the other leaves alone, and chooses where both have typed", async () => {
  const [here, there] = [await staff(MOUSE, "/shop"), await staff(MOUSE, "/shop")];
  const stored = async () => (await asked("select instagram_url, x_url, sender, sender_phone from shop_settings"))[0];
  const typed = async (one: typeof here, values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) await one.page.getByLabel(name).fill(value);
    await button(one.page, "Save").click();
  };
  const saved = ({ page }: typeof here) => page.getByText("Saved. The shop shows it now.").waitFor();
  const conflict = ({ page }: typeof here) => page.getByText("Somebody else has changed this.");
  const chosen = ({ page }: typeof here, which: string) => page.getByRole("button", { name: `${which} (Instagram)` });
  for (const { page } of [here, there]) await looksNoMore(page);
  await typed(here, { Instagram: "https://instagram.example/first" });
  await saved(here);

  await typed(there, { "Name and address": "Irepo\n12 Allen Avenue" });
  await saved(there);
  await typed(here, { "X (": "https://x.example/here" });
  await saved(here);
  expect(await stored()).toMatchObject({
    instagram_url: "https://instagram.example/first",
    x_url: "https://x.example/here",
    sender: "Irepo\n12 Allen Avenue",
  });
  await expect.poll(() => here.page.getByLabel("Name and address").inputValue()).toBe("Irepo\n12 Allen Avenue");

  await typed(here, { Instagram: "https://instagram.example/here" });
  await saved(here);
  await typed(there, { Instagram: "https://instagram.example/there", Phone: "+2348031234567" });
  await conflict(there).waitFor();
  await there.page.getByText("Theirs: https://instagram.example/here").waitFor();
  await there.page.getByText("1 choice open").waitFor();
  await there.isInOrder();
  expect(await button(there.page, "Save").isDisabled()).toBe(true);
  expect(await stored()).toMatchObject({ instagram_url: "https://instagram.example/here", sender_phone: "" });
  await chosen(there, "Keep mine").click();
  await button(there.page, "Save").click();
  await saved(there);
  const theirs = { instagram_url: "https://instagram.example/there", sender_phone: "+2348031234567" };
  expect(await stored()).toMatchObject(theirs);

  await typed(here, { Instagram: "https://instagram.example/again" });
  await conflict(here).waitFor();
  await chosen(here, "Take theirs").click();
  await conflict(here).waitFor({ state: "detached" });
  expect(await here.page.getByLabel("Instagram").inputValue()).toBe(theirs.instagram_url);
  expect(await here.page.getByLabel("Phone").inputValue()).toBe(theirs.sender_phone);
  expect(await stored()).toMatchObject(theirs);
  await here.leaves();
  await there.leaves();
});

test("an unlikely rate is asked about again after another one was typed", async () => {
  const { page, leaves } = await staff(MOUSE, "/delivery");
  const question = page.getByText("Is that right?");
  await page.getByLabel("Lagos").fill("3600");
  await button(page, "Save").click();
  await question.waitFor();
  await page.getByLabel("Lagos").fill("3.70");
  await question.waitFor({ state: "detached" });
  await page.getByLabel("Ogun").fill("4700");
  await button(page, "Save").click();
  await question.waitFor();
  await button(page, "Undo all changes").click();
  await leaves(CUT_OFF);
});

test("a rate that is typed while another is set is still to be set", async () => {
  const { page, leaves } = await staff(MOUSE, "/money");
  const goOn = await holdBack(page, isPost);
  const rate = page.getByLabel("New rate");
  const now = Number((await asked("select rate from exchange_rates order by id desc limit 1"))[0]?.rate ?? 1534.25);
  const [first, second] = [(now + 1).toFixed(2), (now + 2).toFixed(2)];
  await rate.fill(first);
  const sent = page.waitForRequest(isPost);
  await button(page, "Set the rate").click();
  await sent;
  await rate.fill(second);
  const loadedAnew = page.waitForResponse(
    (response) => response.request().method() === "GET" && DATA.test(response.url()),
  );
  goOn();
  await loadedAnew;
  expect(await rate.inputValue()).toBe(second);
  await button(page, "Set the rate").click();
  const said = page.getByText("from now on");
  await said.waitFor();
  await expect.poll(() => rate.inputValue()).toBe("");
  await asked(`insert into exchange_rates (rate, source) values (${now}, 'rates.example')`);
  await look(page);
  await said.waitFor({ state: "detached" }); // it is no longer so
  await leaves();
});

test("a delivery rate that is typed while another is saved is still to be saved", async () => {
  const { page, leaves } = await staff(MOUSE, "/delivery");
  const goOn = await holdBack(page, isPost);
  await page.getByLabel("Lagos").fill("3.60");
  const sent = page.waitForRequest(isPost);
  await button(page, "Save").click();
  await sent;
  await page.getByLabel("Ogun").fill("4.70");
  goOn();
  await page.getByRole("status").getByText("1 change", { exact: true }).waitFor();
  expect(await page.getByLabel("Ogun").inputValue()).toBe("4.70");
  await button(page, "Save").click();
  await page.getByText("The checkout uses it from now on.").waitFor();
  await leaves();
});

test("orders that were ticked on another page stay ticked when all on this one are", async () => {
  const [first, second] = [await unsent(0), await unsent(1)];
  const { page, hand, leaves } = await staff(MOUSE, `/orders?q=${first}`);
  const all = page.getByRole("checkbox", { name: "All on this page" });
  await hand.tick(all);
  await page.getByText("1 chosen").waitFor();
  await page.getByRole("searchbox").fill(second);
  await page.getByRole("link", { name: first, exact: true }).waitFor({ state: "detached" });
  await hand.tick(all);
  await page.getByText("2 chosen").waitFor();
  await hand.tick(all);
  await page.getByText("1 chosen").waitFor();
  await leaves();
});

test("an invitation that was not sent keeps what was typed, whatever was answered before", async () => {
  const { page, context, leaves } = await staff(MOUSE, "/staff");
  await hasScripts(page);
  const email = page.getByLabel("Email", { exact: true });
  await email.fill("first@example.com");
  await button(page, "Invite").click();
  await page.getByText("is invited").waitFor();
  expect(await email.inputValue()).toBe("");
  await email.fill("second@example.com");
  await context.setOffline(true);
  await button(page, "Invite").click();
  await page.getByText("What you typed is still here").first().waitFor();
  expect(await email.inputValue()).toBe("second@example.com");
  await context.setOffline(false);
  await leaves(CUT_OFF);
});

test("rows can be marked as sent only after a preview", async () => {
  const [first, second] = [await unsent(3), await unsent(4)];
  const { page, leaves } = await staff(MOUSE, "/orders/parcels");
  const rows = page.getByLabel("Rows (up");
  await rows.fill(`${first}\tGIG Logistics\tGIG-1`);
  const mark = page.getByRole("button", { name: "Mark 1 as sent" });
  await expect.poll(() => mark.isEnabled()).toBe(true);
  const goOn = await holdBack(page);
  await rows.fill(`${first}\tGIG Logistics\tGIG-1\n${second}\tGIG Logistics\tGIG-2`);
  await expect.poll(() => mark.isEnabled()).toBe(false);
  goOn();
  await expect.poll(() => page.getByRole("button", { name: "Mark 2 as sent" }).isEnabled()).toBe(true);
  await leaves();
});
