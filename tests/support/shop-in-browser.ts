import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "./browser.ts";
import { type RunningShop, runShop } from "./running-shop.ts";

/** What the test file's one shop and one browser are, once `useShopInBrowser` has opened them. */
export let shop: RunningShop;
export let browser: Browser;

/** Opens both before the file's tests and closes them after. */
export function useShopInBrowser(): void {
  beforeAll(async () => {
    [shop, browser] = await Promise.all([runShop(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
  });
}
