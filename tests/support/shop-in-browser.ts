import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "./browser.ts";
import { type RunningShop, runShop } from "./running-shop.ts";

/** The test file's one shop and one browser, once `useShopInBrowser` has opened them. */
export let shop: RunningShop;
export let browser: Browser;

/** Opens the shop, with these settings, and the browser before the file's tests, and closes them after. */
export function useShopInBrowser(settings?: Record<string, string>): void {
  beforeAll(async () => {
    [shop, browser] = await Promise.all([runShop(settings), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });
}
