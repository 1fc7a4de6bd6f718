import { randomBytes } from "node:crypto";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newVisitor, openBrowser } from "#tests/support/browser.ts";
import { LAGOS, newCustomer } from "#tests/support/http-visitor.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";

const ORIGIN = "https://shop.test";
const FAILED = "An error occurred while paying with Apple Pay. Please try again or use another payment method.";
const NONE = "No wallet payment method is available on this device";
const SETTINGS = {
  PUBLIC_URL: ORIGIN,
  SESSION_SECRET: randomBytes(32).toString("hex"),
  PAYSTACK_CHECKOUT_URL: "https://checkout.paystack.com",
};

let browser: Browser;
/** A shop that accepts the wallet. */
let shop: RunningShop;
/** A shop that does not. */
let cardShop: RunningShop;

beforeAll(async () => {
  shop = await runShop({ ...SETTINGS, PAYSTACK_CHANNELS: "card,apple_pay" });
  [browser, cardShop] = await Promise.all([openBrowser(), runShop(SETTINGS)]);
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(() => Promise.all([browser?.close(), shop?.stop(), cardShop?.stop()]));

/**
 * Routes the shop on https, and the provider's own addresses, to this machine. The library requests no other addresses.
 */
async function route(context: BrowserContext, { url, sandboxUrl }: RunningShop): Promise<void> {
  const to = (base: string) => async (route: Route) => {
    const { pathname, search } = new URL(route.request().url());
    // The server may close a kept connection just as it is used again.
    const headers = { ...(await route.request().allHeaders()), connection: "close" };
    try {
      const response = await route.fetch({ url: base + pathname + search, headers, maxRedirects: 0 });
      await route.fulfill({ response });
    } catch {
      await route.abort().catch(() => undefined); // the provider hung up, or the page was left
    }
  };
  await context.route(`${ORIGIN}/**`, to(url));
  await context.route(`${ORIGIN}/api/live`, (route) => route.fulfill({ status: 204 }));
  for (const host of ["api.paystack.co", "standard.paystack.co", "checkout.paystack.com"])
    await context.route(`https://${host}/**`, to(sandboxUrl));
}

/**
 * The interface that a device with Apple's wallet offers to pages. Its user dismisses the sheet so many times, and then
 * agrees.
 */
function appleWallet({ dismissals }: { dismissals: number }): void {
  class ApplePaySession {
    static supportsVersion = () => true;
    static canMakePayments = () => true;
    onvalidatemerchant?: (event: object) => void;
    onpaymentauthorized?: (event: object) => void;
    oncancel?: () => void;
    begin(): void {
      if (!navigator.userActivation.isActive) throw new Error("Must create a new ApplePaySession from a user gesture");
      const validationURL = "https://apple-pay-gateway.apple.com/paymentservices/startSession";
      setTimeout(() => (dismissals-- > 0 ? this.oncancel?.() : this.onvalidatemerchant?.({ validationURL })));
    }
    completeMerchantValidation(): void {
      setTimeout(() => this.onpaymentauthorized?.({ payment: { token: { paymentData: {} } } }));
    }
    completePayment(): void {}
  }
  Object.assign(window, { ApplePaySession });
}

type Buyer = { page: Page; complaints: string[]; account(): Promise<string> };

/** A shopper with a tee in the cart, at the choice of a payment method. */
async function buyer(at: RunningShop, email: string, { wallet = true, dismissals = 0 } = {}): Promise<Buyer> {
  const customer = await newCustomer(at, email);
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  const { page, context, complaints } = await newVisitor(browser);
  await route(context, at);
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: ORIGIN })));
  await context.addInitScript(() => self === top && localStorage.setItem("currency", "NGN"));
  if (wallet) await context.addInitScript(appleWallet, { dismissals });
  await page.goto(`${ORIGIN}/checkout`);
  const form = page.getByRole("main");
  await form.getByLabel("Home Delivery").check();
  await form.getByLabel("State").selectOption(LAGOS.state);
  await form.getByLabel("Street and number").fill(LAGOS.address);
  await form.getByLabel("Phone").fill(LAGOS.phoneNumber);
  await form.getByRole("button", { name: /^Pay Now/ }).click();
  await dialogOf(page).getByRole("button", { name: /^Card/ }).waitFor();
  return { page, complaints, account: async () => (await customer.get("/account")).text() };
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Choose a Payment Method" });

async function pressWallet(page: Page): Promise<void> {
  await dialogOf(page)
    .getByRole("button", { name: /^Apple Pay/ })
    .click();
  await dialogOf(page).getByRole("button", { name: "Pay with Apple Pay" }).click();
}

async function payByCard(page: Page): Promise<void> {
  await dialogOf(page).getByRole("button", { name: /^Card/ }).click();
  await page.frameLocator('iframe[id^="inline-checkout-"]').getByRole("button", { name: "Pay success" }).click();
}

/**
 * Waits for the home page. The shop's message lasts only a second before it: too short to be seen through all these
 * routes.
 */
async function paid(page: Page): Promise<void> {
  await page.waitForURL(`${ORIGIN}/`, { waitUntil: "commit" });
}

/** Sets how the next payment goes. */
async function scenario(name: string): Promise<void> {
  const body = JSON.stringify({ name });
  const headers = { "content-type": "application/json" };
  expect((await fetch(`${shop.sandboxUrl}/__sandbox/scenario`, { method: "POST", headers, body })).status).toBe(200);
}

type Booked = { email: string; status: string; channel: string | null; attempts: { outcome: string }[] };

/** The provider's books on a shopper: each payment's state, its channel, and the outcomes of its attempts. */
async function booked(email: string): Promise<(string | null)[][]> {
  const all = (await (await fetch(`${shop.sandboxUrl}/__sandbox/transactions`)).json()) as Booked[];
  return all
    .filter((one) => one.email === email)
    .map(({ status, channel, attempts }) => [status, channel, ...attempts.map(({ outcome }) => outcome)]);
}

async function stock(): Promise<number> {
  const answer = await fetch(`${shop.url}/api/products/rings-tee`);
  return ((await answer.json()) as { sizes: Record<string, number> }).sizes.M ?? Number.NaN;
}

const ordersIn = (html: string) => html.match(/href="\/order\/\w+"/g)?.length ?? 0;

/**
 * Complaints that come from this test's set-up: requests that are routed to this machine, and no CDN of Apple's, without
 * which the library draws its own button.
 */
const EXPECTED =
  /^(asked another machine: https:\/\/(shop\.test|(api|standard)\.paystack\.co|checkout\.paystack\.com|applepay\.cdn-apple\.com)\/|error: Failed to load resource: net::ERR_NAME_NOT_RESOLVED)/;
const unexpected = (complaints: string[]) => complaints.filter((complaint) => !EXPECTED.test(complaint));

describe("on a device with a wallet", () => {
  test("it pays the order, once", async () => {
    const email = "wallet@example.com";
    const before = await stock();
    const { page, complaints, account } = await buyer(shop, email);
    await pressWallet(page);
    await paid(page);
    expect(await booked(email)).toEqual([["success", "apple_pay", "success"]]);
    expect(ordersIn(await account())).toBe(1);
    expect(await stock()).toBe(before - 1);
    expect(unexpected(complaints)).toEqual([]);
  });

  test.each([
    ["its charge is declined", "decline", ["decline"]],
    ["it is not allowed here", "wallet_not_allowed", []],
  ])("when %s, that is said, and a card pays the same payment", async (_, name, tried) => {
    const email = `${name}@example.com`;
    await scenario(name);
    const { page, account } = await buyer(shop, email);
    await pressWallet(page);
    await dialogOf(page).getByText(FAILED).waitFor();
    await payByCard(page);
    await paid(page);
    expect(await booked(email)).toEqual([["success", "card", ...tried, "success"]]);
    expect(ordersIn(await account())).toBe(1);
  });

  test("when its sheet is dismissed, that is said, and its button can be pressed again", async () => {
    const { page } = await buyer(shop, "again@example.com", { dismissals: 1 });
    await pressWallet(page);
    await dialogOf(page).getByText(FAILED).waitFor();
    await dialogOf(page).getByRole("button", { name: "Pay with Apple Pay" }).click();
    await paid(page);
    expect(await booked("again@example.com")).toEqual([["success", "apple_pay", "success"]]);
  });

  test("a charge whose answer is lost is found", async () => {
    await scenario("wallet_reply_lost");
    const { page, account } = await buyer(shop, "lost@example.com");
    await pressWallet(page);
    await paid(page);
    expect(await booked("lost@example.com")).toEqual([["success", "apple_pay", "success"]]);
    expect(ordersIn(await account())).toBe(1);
  });

  test("a payment that the provider does not know of, or does not offer it for, leads to the other way", async () => {
    const { page, complaints } = await buyer(shop, "not-offered@example.com");
    const asksProvider = "https://api.paystack.co/transaction/verify_access_code/*";
    const unknown = { status: false, message: "Invalid access code" };
    await page.route(asksProvider, (route) => route.fulfill({ status: 400, json: unknown }), { times: 1 });
    await dialogOf(page)
      .getByRole("button", { name: /^Apple Pay/ })
      .click();
    await dialogOf(page).getByText(FAILED).waitFor();
    expect(unexpected(complaints.splice(0)).join()).toMatch(/^error: Could not initiate apple pay transaction /);
    await page.route(asksProvider, async (route) => {
      const url = shop.sandboxUrl + new URL(route.request().url()).pathname;
      const json = await (await route.fetch({ url })).json();
      json.data.channels = ["card"];
      await route.fulfill({ json });
    });
    await dialogOf(page)
      .getByRole("button", { name: /^Apple Pay/ })
      .click();
    await dialogOf(page).getByText("No wallet payment method is available on this device").waitFor();
    expect(unexpected(complaints)).toEqual([`debug: ${NONE}`]);
    await payByCard(page);
    await paid(page);
    expect(await booked("not-offered@example.com")).toEqual([["success", "card", "success"]]);
  });

  test("it is left for the card and comes back", async () => {
    const { page } = await buyer(shop, "back@example.com");
    await dialogOf(page)
      .getByRole("button", { name: /^Apple Pay/ })
      .click();
    await dialogOf(page).getByRole("button", { name: "Pay with Apple Pay" }).waitFor();
    await dialogOf(page).getByRole("button", { name: /^Card/ }).click();
    await page.frameLocator('iframe[id^="inline-checkout-"]').getByRole("button", { name: "Close" }).click();
    await dialogOf(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Pay Now/ }).click();
    await pressWallet(page);
    await paid(page);
    expect((await booked("back@example.com")).at(-1)).toEqual(["success", "apple_pay", "success"]);
  });

  test("whoever closes the dialog has given up: the piece is on the shelf again", async () => {
    const before = await stock();
    const { page } = await buyer(shop, "leaves@example.com");
    await dialogOf(page)
      .getByRole("button", { name: /^Apple Pay/ })
      .click();
    await dialogOf(page).getByRole("button", { name: "Pay with Apple Pay" }).waitFor();
    expect(await stock()).toBe(before - 1);
    await page.keyboard.press("Escape");
    await expect.poll(stock).toBe(before);
    await dialogOf(page).waitFor({ state: "detached" });
  });
});

test("on a device without a wallet nothing is shown, and the console's details say why", async () => {
  const { page, complaints } = await buyer(shop, "without@example.com", { wallet: false });
  await expect.poll(() => unexpected(complaints)).toEqual([`debug: ${NONE}`]);
  expect(await dialogOf(page).getByText("Apple Pay").count()).toBe(0);
});

test("a shop that does not take the wallet shows none, says nothing, and lets pages ask no more hosts than before", async () => {
  const { page, complaints } = await buyer(cardShop, "off@example.com");
  expect(await dialogOf(page).getByText("Apple Pay").count()).toBe(0);
  expect(unexpected(complaints)).toEqual([]);

  const policy = async (at: RunningShop) =>
    (await fetch(`${at.url}/about`)).headers.get("content-security-policy")?.replaceAll(/127\.0\.0\.1:\d+/g, "sandbox");
  const script = " https://applepay.cdn-apple.com/jsapi/v1.1.0/apple-pay-sdk.js";
  const connect = " https://api.paystack.co https://standard.paystack.co";
  const closed = await policy(cardShop);
  expect(closed).toContain("connect-src 'self';");
  expect((await policy(shop))?.replace(`${script};`, ";").replace(`${connect};`, ";")).toBe(closed);
});

test("where mails go out, nothing leads to the demo's mailbox", async () => {
  const page = await (await fetch(cardShop.url)).text();
  expect(page).toContain("Demo: payments are simulated.");
  expect(page).not.toContain("/demo/mail");
});
