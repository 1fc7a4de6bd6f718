import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { newVisitor, WITH_WORKER } from "#tests/support/browser.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser({ TRUSTED_PROXIES: "127.0.0.1, ::1", COUNTRY_HEADER: "cf-ipcountry" });

const NIGERIA = { "X-Forwarded-For": "197.210.64.1" };
const BRITAIN = { "X-Forwarded-For": "81.2.69.142" };
const DESKTOP = { viewport: { width: 1440, height: 900 } };
const NAIRA_FIRST = "₦79,984 $49.99";
const DOLLARS_FIRST = "$49.99 ≈ ₦79,984";

const guestSees = (currency: "NGN" | "USD"): Seen => ({
  account: ["LOGIN"],
  prices: [currency === "NGN" ? NAIRA_FIRST : DOLLARS_FIRST],
  currency: [`Currency: ${currency}`],
});

/** The pages with prices that everybody gets from the cache, and a price that is on each of them. */
const PAGES = ["/", "/shop", "/singleProduct/unity-home-jersey"];

type Seen = Record<"account" | "prices" | "currency", string[]>;

/** Writes down, at each frame from the first one on, what changes at the account's place, in the prices and below. */
function watchFrames(): void {
  const seen: Seen = { account: [], prices: [], currency: [] };
  Object.assign(window, { seen });
  const shown = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter(({ offsetWidth }) => offsetWidth > 0);
  const note = (place: keyof Seen, text = "") => text && seen[place].at(-1) !== text && seen[place].push(text);
  const look = () => {
    const links = shown("header a, header summary").map(({ textContent }) => textContent ?? "");
    const prices = [...(shown("main .price-pair")[0]?.children ?? [])] as HTMLElement[];
    const inOrder = prices.toSorted((one, other) => one.getBoundingClientRect().x - other.getBoundingClientRect().x);
    note(
      "account",
      links.find((text) => !/SHOP|ABOUT|CART|IREPO/.test(text)),
    );
    if (prices.length === 2) note("prices", inOrder.map(({ innerText }) => innerText.trim()).join(" "));
    note(
      "currency",
      shown("footer button").find(({ textContent }) => textContent?.startsWith("Currency"))?.textContent,
    );
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const framesOf = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen);

async function visit(options: BrowserContextOptions) {
  const { page, context } = await newVisitor(browser, { ...DESKTOP, ...options });
  await page.addInitScript(watchFrames);
  return { page, context };
}

/** Opens the page on a network on which its script is late, and returns all that was to be seen at its changing places. */
async function framesAt(page: Page, path: string): Promise<Seen> {
  const script = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.goto(shop.url + path, { waitUntil: "commit" });
  await expect.poll(async () => Object.values(await framesOf(page)).map(({ length }) => length)).toEqual([1, 1, 1]);
  script.resolve();
  await page.waitForFunction(() => "__reactRouterDataRouter" in window);
  await page.waitForLoadState("networkidle");
  await page.unrouteAll({ behavior: "wait" });
  return framesOf(page);
}

describe("nothing turns round under the reader's eyes, from the first frame to the last", () => {
  test.each<[string, Record<string, string>, string | undefined, "NGN" | "USD"]>([
    ["a visitor from Nigeria", NIGERIA, undefined, "NGN"],
    ["a visitor from Britain", BRITAIN, undefined, "USD"],
    ["a visitor from nowhere", {}, undefined, "USD"],
    ["one from Nigeria who chose dollars", NIGERIA, "USD", "USD"],
    ["one from Britain who chose naira", BRITAIN, "NGN", "NGN"],
  ])("%s", async (_, extraHTTPHeaders, chosen, expected) => {
    const { page, context } = await visit({ extraHTTPHeaders });
    if (chosen) {
      await page.goto(shop.url, { waitUntil: "networkidle" });
      await page.getByRole("button", { name: /^Currency/ }).click();
      await page.getByRole("button", { name: chosen === "USD" ? /US dollars/ : /naira/ }).click();
    }
    for (const path of PAGES) expect(await framesAt(page, path), path).toEqual(guestSees(expected));
    await context.close();
  });

  test("a signed-in shopper reads “Account” until the name is there, and never “Login”", async () => {
    const { page, context } = await visit({ extraHTTPHeaders: NIGERIA });
    const { cookies } = await newCustomer(shop, "steady@example.com");
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: shop.url })));
    expect(await framesAt(page, "/shop")).toEqual({ ...guestSees("NGN"), account: ["ACCOUNT", "Ada"] });
    await page.setViewportSize({ width: 360, height: 640 });
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto(`${shop.url}/shop`, { waitUntil: "commit" });
    const navigation = page.getByRole("navigation", { name: "Shop" });
    await navigation.getByRole("link", { name: "Account" }).waitFor();
    expect(await navigation.getByRole("link", { name: "Login" }).isVisible()).toBe(false);
    await context.close();
  });

  test("a session that ended elsewhere is forgotten, so that the next page begins with “Login”", async () => {
    const { page, context } = await visit({});
    const { cookies } = await newCustomer(shop, "ended-elsewhere@example.com");
    const mark = [...cookies].filter(([name]) => name === "irepo_in");
    await context.addCookies(mark.map(([name, value]) => ({ name, value, url: shop.url })));
    await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
    await page.getByRole("banner").getByRole("link", { name: "LOGIN" }).waitFor();
    await page.reload({ waitUntil: "networkidle" });
    expect(await framesOf(page)).toEqual(guestSees("USD"));
    await context.close();
  });
});

test("without script a visitor from Nigeria reads naira first as well, and looks for prices in naira", async () => {
  const { page, context } = await newVisitor(browser, {
    ...DESKTOP,
    javaScriptEnabled: false,
    extraHTTPHeaders: NIGERIA,
  });
  await page.goto(`${shop.url}/shop`);
  expect(await page.locator("html").getAttribute("data-currency")).toBe("NGN");
  await page.locator("summary", { hasText: "Price" }).click();
  await page.getByLabel(/^To /).fill("40000");
  await page.getByRole("button", { name: /^Show/ }).click();
  expect(new URL(page.url()).searchParams.get("currency")).toBe("NGN");
  await context.close();
});

test("a page that is read offline has the currency that was chosen since", async () => {
  const { page, context } = await newVisitor(browser, { ...DESKTOP, ...WITH_WORKER, extraHTTPHeaders: NIGERIA });
  await page.addInitScript(watchFrames);
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await expect.poll(() => page.evaluate(async () => Boolean(await caches.match("/shop")))).toBe(true);
  await page.goto(`${shop.url}/about`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Currency: NGN" }).click();
  await page.getByRole("button", { name: /US dollars/ }).click();
  await context.setOffline(true);
  await page.goto(`${shop.url}/shop`);
  expect((await framesOf(page)).prices).toEqual([DOLLARS_FIRST]);
  await context.close();
});

test.each<[string, Record<string, string>, string]>([
  ["the choice's cookie, whatever the country", { cookie: "irepo_currency=USD", "cf-ipcountry": "NG" }, "USD"],
  ["the country that the proxy names", { "cf-ipcountry": "NG", "x-forwarded-for": "81.2.69.142" }, "NGN"],
  ["the country of the address", { "cf-ipcountry": "XX", "x-forwarded-for": "197.210.64.1" }, "NGN"],
  ["dollars, where nothing is known", {}, "USD"],
  ["dollars, where the cookie is no currency", { cookie: 'irepo_currency="><script>' }, "USD"],
])("which rendering of a page is sent is decided by %s, and caches in front are told", async (_, headers, currency) => {
  for (const path of ["/shop", "/about", "/no-such-page", "/login", "/Cart"]) {
    const answer = await fetch(shop.url + path, { headers });
    expect(/<html[^>]*>/.exec(await answer.text())?.[0], path).toContain(`data-currency="${currency}"`);
  }
  const { headers: told } = await fetch(`${shop.url}/shop`, { headers });
  expect([told.get("cache-control"), told.get("vary")]).toEqual([
    "public, max-age=0, s-maxage=1",
    "Cookie, cf-ipcountry, Accept-Encoding",
  ]);
  expect(
    (await fetch(`${shop.url}/shop`, { headers: { ...headers, cookie: "irepo.session=x" } })).headers.get("etag"),
  ).toBe((await fetch(`${shop.url}/shop`, { headers: { ...headers, cookie: "a=b" } })).headers.get("etag"));
});
