import type { Browser, CDPSession, Page } from "playwright-core";
import { openBrowser, scriptIsThere } from "#tests/support/browser.ts";
import { type Figure, round } from "./measure.ts";
import { PAGES } from "./pages.ts";
import { addShoppers, type BenchShop, fillCarts, withShop } from "./shop.ts";

/**
 * Measures what the first view of a page transfers to a phone 390 px wide (2 device pixels each), in KB as sent, by
 * kind.
 */
export function firstView(): Promise<Figure[]> {
  return withShop(async (shop) => {
    const browser = await openBrowser();
    try {
      return [
        ...(await views(browser, shop)),
        ...(await secondPage(browser, shop)),
        ...(await checkoutView(browser, shop)),
      ];
    } finally {
      await browser.close();
    }
  });
}

const WHOLE: Record<string, number> = { home: 250, shop: 285, product: 265 };
const SCRIPT = 131;
const CHECKOUT_SCRIPT = 145;
const STYLE = 14;
const FONTS = 45;
const SECOND_PAGE = 60;

async function views(browser: Browser, shop: BenchShop): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, path] of Object.entries(PAGES)) {
    const { page, sent, close } = await phone(browser);
    await view(page, shop.url + path);
    const whole = WHOLE[name];
    figures.push(
      { name: `${name}: everything`, value: sum(sent), unit: "KB", ...(whole && { bar: { max: whole } }) },
      { name: `${name}: pictures`, value: sum(sent, "Image"), unit: "KB" },
      { name: `${name}: script`, value: sum(sent, "Script"), unit: "KB", bar: { max: SCRIPT } },
    );
    if (name === "home")
      figures.push(
        { name: "style", value: sum(sent, "Stylesheet"), unit: "KB", bar: { max: STYLE } },
        { name: "fonts", value: sum(sent, "Font"), unit: "KB", bar: { max: FONTS } },
      );
    await close();
  }
  return figures;
}

async function secondPage(browser: Browser, shop: BenchShop): Promise<Figure[]> {
  // A service worker's requests are not reported to the page's session, so service workers are blocked.
  const { page, sent, close } = await phone(browser, "block");
  await view(page, shop.url);
  sent.clear();
  await page.getByRole("link", { name: "See all" }).tap();
  await page.getByRole("heading", { name: "SHOP" }).waitFor();
  await page.waitForLoadState("networkidle");
  const value = round(sum(sent) - sum(sent, "Image"), 1);
  await close();
  return [{ name: "second page, without pictures", value, unit: "KB", bar: { max: SECOND_PAGE } }];
}

async function checkoutView(browser: Browser, shop: BenchShop): Promise<Figure[]> {
  const [shopper] = await addShoppers(shop, 1);
  if (!shopper) throw new Error("no shopper");
  await fillCarts(shop, [shopper], "unity-home-jersey");
  const { page, sent, close } = await phone(browser);
  const [name = "", value = ""] = shopper.cookie.split("=", 2);
  await page.context().addCookies([{ name, value, url: shop.url }]);
  await view(page, `${shop.url}/checkout`);
  await close();
  return [{ name: "checkout: script", value: sum(sent, "Script"), unit: "KB", bar: { max: CHECKOUT_SCRIPT } }];
}

/** The script waits for the first paint, which on a busy machine can come after the network's first idle moment. */
async function view(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await scriptIsThere(page);
  await page.waitForLoadState("networkidle");
}

type Sent = Map<string, { kind: string; bytes: number }>;

async function phone(browser: Browser, serviceWorkers: "allow" | "block" = "allow") {
  const context = await browser.newContext({
    serviceWorkers,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  const sent: Sent = new Map();
  count(await context.newCDPSession(page), sent);
  return { page, sent, close: () => context.close() };
}

/** The style sheet that holds only the font of the titles. */
const FACE = /\/display-[\w-]+\.css$/;

function count(session: CDPSession, sent: Sent): void {
  session.on("Network.responseReceived", ({ requestId, type, response: { url } }) => {
    if (!url.startsWith("data:")) sent.set(requestId, { kind: FACE.test(url) ? "Font" : type, bytes: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const one = sent.get(requestId);
    if (one) one.bytes = encodedDataLength;
  });
  void session.send("Network.enable");
}

function sum(sent: Sent, kind?: string): number {
  const fitting = [...sent.values()].filter((one) => !kind || one.kind === kind);
  return round(fitting.reduce((total, { bytes }) => total + bytes, 0) / 1024, 1);
}
