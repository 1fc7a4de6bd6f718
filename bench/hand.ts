import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { scriptIsThere } from "#tests/support/browser.ts";

/** A small, cheap phone. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 640 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  serviceWorkers: "block", // the requests of a service worker would not be slow
};
const KBIT = 1000 / 8;
const SLOW = { offline: false, latency: 400, downloadThroughput: 400 * KBIT, uploadThroughput: 400 * KBIT };

/**
 * A shopper's hand. `pressed` lists all taps, filled fields and choices from a list. Elements are found by their names.
 */
export type Hand = {
  page: Page;
  pressed: string[];
  tap(target: Locator): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
  choose(list: Locator, option: string): Promise<void>;
  back(): Promise<void>;
};

/** Opens a phone's browser on a slow network. The browser has nothing of the shop but a cookie. */
export async function pickUpPhone(browser: Browser, shop: string, options: BrowserContextOptions, cookie?: string) {
  const context = await browser.newContext({ ...PHONE, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  if (cookie) await signIn(page, shop, cookie);
  const session = await context.newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await session.send("Network.emulateNetworkConditions", SLOW);
  return { hand: handOn(page), close: () => context.close() };
}

/** Sets the session's cookie, and waits until the shop's script has stored who is signed in. */
async function signIn(page: Page, shop: string, cookie: string): Promise<void> {
  const [name = "", value = ""] = cookie.split("=", 2);
  await page.context().addCookies([{ name, value, url: shop }]);
  await page.goto(`${shop}/Cart`);
  await page.waitForFunction(() => localStorage.getItem("user"));
  await page.goto("about:blank");
}

/**
 * Waits until the page's script is there and idle, as when a shopper has looked at the page. After a tap the browser
 * may delay idle callbacks because more touches may follow, hence the timeout.
 */
export async function hasComeToRest(page: Page): Promise<void> {
  await scriptIsThere(page);
  await page.waitForFunction(() => new Promise((rests) => requestIdleCallback(() => rests(true), { timeout: 1000 })));
}

function handOn(page: Page): Hand {
  const pressed: string[] = [];
  const press = async (what: string, act: () => Promise<unknown>) => {
    await hasComeToRest(page);
    await act();
    pressed.push(what);
  };
  return {
    page,
    pressed,
    tap: async (target) => press(await nameOf(target), () => target.tap()),
    fill: async (field, text) => press(`${await nameOf(field)} "${text}"`, () => field.fill(text)),
    choose: async (list, option) => press(`${await nameOf(list)} "${option}"`, () => list.selectOption(option)),
    back: () => press("Back", () => page.goBack()),
  };
}

/** The name of a pressed element, for the list of presses. */
export async function nameOf(target: Locator): Promise<string> {
  const name = await target.evaluate((element: HTMLElement & { labels?: NodeListOf<HTMLElement> }) =>
    (element.ariaLabel || element.labels?.[0]?.innerText || element.innerText || "").trim(),
  );
  return name.replaceAll(/\s+/g, " ").slice(0, 40);
}
