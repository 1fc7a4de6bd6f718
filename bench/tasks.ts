import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { openBrowser } from "#tests/support/browser.ts";
import { buy, payAndLeave } from "./checkout.ts";
import { type Hand, pickUpPhone } from "./hand.ts";
import { type Figure, round } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper, withShop } from "./shop.ts";

const JERSEY = "unity-home-jersey";
const MOST_NAIRA = 90_000;
/** The presses to share a page that has no button for it: the browser's menu, and Share in that menu. */
const BROWSERS_OWN_SHARING = ["the browser's menu", "Share, in the browser's menu"];

/**
 * A task and the address where it begins. With `before`, a signed-in shopper does it, whom `before` prepares; otherwise
 * an anonymous visitor.
 */
type Task = {
  name: string;
  from: string;
  before?(shop: BenchShop, shopper: Shopper): Promise<unknown>;
  walk(hand: Hand, shop: BenchShop): Promise<unknown>;
};

const TASKS: Task[] = [
  { name: "a green jersey in L below ₦90,000, by search", from: "/", walk: findBySearch },
  { name: "the same, by filters", from: "/", walk: findByFilters },
  { name: "how long to Kano, and what it costs", from: `/singleProduct/${JERSEY}`, walk: askForKano },
  { name: "buy two sizes", from: `/singleProduct/${JERSEY}`, before: register, walk: buyTwoSizes },
  { name: "change the address before paying", from: "/checkout", before: buyAndFill, walk: changeAddress },
  { name: "was I charged?", from: "/", before: payAndForget, walk: lookForCharge },
  { name: "send the link to a friend", from: `/singleProduct/${JERSEY}`, walk: share },
];

/**
 * Measures what shoppers come to do, on a phone 360 px wide and a network of 400 kbit/s with 400 ms: seconds from the
 * first address on, and presses.
 */
export function tasks(): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      const browser = await openBrowser();
      try {
        const figures: Figure[] = [];
        for (const task of TASKS) figures.push(...(await perform(task, browser, shop)));
        return figures;
      } finally {
        await browser.close();
      }
    },
    { TRUSTED_PROXIES: "127.0.0.1", COUNTRY_HEADER: "cf-ipcountry" },
  );
}

async function perform({ name, from, before, walk }: Task, browser: Browser, shop: BenchShop): Promise<Figure[]> {
  const [shopper] = before ? await addShoppers(shop, 1) : [];
  if (shopper) await before?.(shop, shopper);
  const inNigeria = { extraHTTPHeaders: { "cf-ipcountry": "NG" } };
  const { hand, close } = await pickUpPhone(browser, shop.url, inNigeria, shopper?.cookie);
  await hand.page.addInitScript(() => {
    Object.defineProperty(navigator, "canShare", { value: () => true });
    Object.defineProperty(navigator, "share", {
      value: async ({ url }: ShareData) => document.documentElement.setAttribute("data-shared", url ?? ""),
    });
  });
  const begun = performance.now();
  try {
    await hand.page.goto(shop.url + from, { waitUntil: "commit" });
    await walk(hand, shop);
  } catch (error) {
    throw new Error(`${name}, at ${hand.page.url()} after ${hand.pressed.join(", ")}`, { cause: error });
  }
  const seconds = (performance.now() - begun) / 1000;
  await close();
  process.stdout.write(`${name}: ${hand.pressed.join(" > ")}\n`);
  return [
    { name: `${name}: presses`, value: hand.pressed.length, unit: "" },
    { name: `${name}: time`, value: round(seconds, 1), unit: "s" },
  ];
}

/** The first visible match. */
const visible = (target: Locator) => target.filter({ visible: true }).first();
const main = (page: Page) => page.getByRole("main");

async function goToShop({ page, tap }: Hand): Promise<void> {
  await tap(visible(page.getByRole("navigation").getByRole("link", { name: /^shop$/i })));
  await page.waitForURL(/\/shop/i);
}

async function findBySearch(hand: Hand): Promise<void> {
  await goToShop(hand);
  await hand.fill(visible(hand.page.getByRole("combobox", { name: "Search" })), "green jersey");
  await hand.tap(hand.page.getByRole("option", { name: /jersey.*green/i }).first());
  await chooseFittingL(hand);
}

async function findByFilters(hand: Hand): Promise<void> {
  const { page, tap, fill, choose } = hand;
  await goToShop(hand);
  const jerseys = visible(main(page).getByRole("link", { name: /^jerseys/i }));
  if (await isThere(jerseys, page.getByRole("button", { name: /^filter/i }))) await tap(jerseys);
  await tap(visible(page.getByRole("button", { name: /^filter/i })));
  await choose(page.getByLabel("Size", { exact: true }), "L");
  await tap(page.getByText("Green", { exact: true }));
  const to = page.getByLabel(/^To /);
  const isInNaira = await page.getByRole("textbox", { name: /^To ₦/ }).count();
  await fill(to, isInNaira ? String(MOST_NAIRA) : String(MOST_NAIRA / 1600));
  await tap(page.getByRole("button", { name: /^Show \d+/ }));
  await tap(
    main(page)
      .getByRole("link", { name: /jersey.*green|jersey/i })
      .filter({ hasText: "₦" })
      .first(),
  );
  await chooseFittingL(hand);
}

/** On a product's page, reads the price and chooses L. */
async function chooseFittingL({ page, tap }: Hand): Promise<void> {
  await page.waitForURL("**/singleProduct/**");
  await page.getByRole("heading", { name: /jersey/i, level: 1 }).waitFor();
  const price = await visible(main(page).getByText(/₦[\d,]+/)).innerText();
  const naira = Number(/₦([\d,]+)/.exec(price)?.[1]?.replaceAll(",", ""));
  if (!(naira < MOST_NAIRA)) throw new Error(`${price} is too much`);
  await tap(sizeButton(page, "L"));
}

const sizeButton = (page: Page, size: string) =>
  visible(page.getByRole("group", { name: "Size" }).getByText(size, { exact: true }));

/** Waits until either is visible. Returns whether `wanted` is. */
async function isThere(wanted: Locator, other: Locator): Promise<boolean> {
  await visible(wanted.or(other)).waitFor();
  return wanted.isVisible();
}

async function askForKano({ page, tap, choose }: Hand): Promise<void> {
  const list = visible(main(page).getByRole("combobox", { name: "Deliver to" }));
  const prices = visible(main(page).getByRole("link", { name: "What it costs" }));
  await page.waitForLoadState("networkidle"); // a script fills the list
  if (await isThere(list, prices)) await choose(list, "Kano");
  else {
    await tap(prices);
    await page.waitForURL("**/shipping-policy**");
    await tap(page.locator("summary").filter({ hasText: "Home Delivery" }));
  }
  await visible(main(page).getByText(/Kano.{0,100}[₦$]\d/s)).waitFor();
  await visible(main(page).getByText(/\d business days|\d [A-Z][a-z]+ to \d/)).waitFor();
}

async function buyTwoSizes(hand: Hand): Promise<void> {
  const { page, tap, back } = hand;
  const add = async (size: string) => {
    await tap(sizeButton(page, size));
    await tap(visible(page.getByRole("button", { name: /^add to cart/i })));
    await page.getByText(new RegExp(`/ ${size}$`)).waitFor();
  };
  await add("M");
  await back();
  await add("L");
  await tap(visible(page.getByRole("link", { name: /^checkout$/i })));
  await fillShipping(hand);
  await tap(page.getByRole("button", { name: /^Pay Now/ }));
  await tap(page.getByRole("dialog").getByRole("button", { name: /^Card/ }));
  const popup = page.frameLocator('iframe[id^="inline-checkout-"]');
  await tap(popup.getByRole("button", { name: "Pay success" }));
  await page.getByText("Payment successful! Order has been recorded.").first().waitFor();
}

/** Adds what the registration form would have asked for. */
async function register({ sql }: BenchShop, { id }: Shopper): Promise<void> {
  await sql("update users set last_name = 'Obi' where id = $1", [id]);
}

/** Fills the fields of the form that are still empty. */
async function fillShipping({ page, tap, choose, fill }: Hand): Promise<void> {
  const form = main(page);
  await page.waitForLoadState("networkidle");
  const home = form.getByLabel(/^Home Delivery/);
  if (!(await home.isChecked())) await tap(home);
  const [state, street, phone] = [
    form.getByLabel("State"),
    form.getByLabel("Street and number"),
    form.getByLabel("Phone"),
  ];
  if (!(await state.inputValue())) await choose(state, "Lagos");
  if (!(await street.inputValue())) await fill(street, "1 Broad Street");
  if (!(await phone.inputValue())) await fill(phone, "08031234567");
}

/** Prepares a shopper who has paid for a jersey, sent to Lagos, and has the same one in the cart again. */
async function buyAndFill(shop: BenchShop, shopper: Shopper): Promise<void> {
  await register(shop, shopper);
  await fillCarts(shop, [shopper], JERSEY);
  await buy(shop, shopper);
  await fillCarts(shop, [shopper], JERSEY);
}

/** Changes the address from Lagos to Kano, after the choice of payments was opened. */
async function changeAddress(hand: Hand): Promise<void> {
  const { page, tap, choose, fill } = hand;
  const payNow = page.getByRole("button", { name: /^Pay Now/ });
  const dialog = page.getByRole("dialog", { name: "Choose a Payment Method" });
  const sum = () => dialog.getByRole("button", { name: /^Card/ }).innerText();
  await fillShipping(hand);
  await tap(payNow);
  const before = await sum();
  await tap(dialog.getByRole("button", { name: "Close" }));
  await choose(main(page).getByLabel("State"), "Kano");
  await fill(main(page).getByLabel("Street and number"), "12 Zoo Road");
  await tap(payNow);
  if ((await sum()) === before) throw new Error(`The sum is still ${before}`);
}

/** Pays for an order, with a browser that is gone before the answer, and waits until the sale is recorded. */
async function payAndForget(shop: BenchShop, shopper: Shopper): Promise<void> {
  await fillCarts(shop, [shopper], JERSEY);
  await payAndLeave(shop, shopper);
  while ((await shop.sql("select from sales where user_id = $1", [shopper.id])).rows.length === 0) await sleep(100);
}

/** Looks around until the shop says in words that the money has come. */
async function lookForCharge({ page, tap }: Hand): Promise<void> {
  const answer = visible(main(page).getByText(/\bpaid\b|has arrived|payment successful/i));
  const account = visible(page.getByRole("navigation").getByRole("link", { name: /account/i }));
  const details = visible(
    main(page)
      .locator("summary")
      .filter({ hasText: /details|₦/ }),
  );
  const order = visible(main(page).getByRole("link", { name: /open the order/i }));
  for (const next of [account, details, order]) {
    if (await isThere(answer, next)) return;
    await tap(next);
  }
  await answer.waitFor();
}

async function share({ page, tap, pressed }: Hand): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle"); // a script adds the button
  const button = visible(main(page).getByRole("button", { name: /^share/i }));
  if (!(await button.isVisible())) return void pressed.push(...BROWSERS_OWN_SHARING);
  await tap(button);
  await page.locator(`[data-shared*="${JERSEY}"]`).waitFor();
}
