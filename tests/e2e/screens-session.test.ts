import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newVisitor } from "#tests/support/browser.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const count = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^CART/ }).textContent();

async function addJersey(page: Page): Promise<void> {
  await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
  await page.getByRole("button", { name: "Add to Cart" }).click();
}

test.each<[string, () => void]>([
  [
    "refuses its storage",
    () =>
      Object.defineProperty(window, "localStorage", {
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      }),
  ],
  [
    "has no room left",
    () => {
      Storage.prototype.setItem = () => {
        throw new DOMException("Exceeded the quota.", "QuotaExceededError");
      };
    },
  ],
])("in a browser that %s every page holds, and a piece is in the cart of this visit", async (_, spoil) => {
  const { page, context, complaints } = await newVisitor(browser, { viewport: { width: 1440, height: 900 } });
  await page.addInitScript(spoil);
  await page.goto(shop.url, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: /^Currency/ }).click();
  await page.getByRole("button", { name: /naira/ }).click();
  await page.getByRole("button", { name: "Currency: NGN" }).waitFor();
  await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
  await addJersey(page);
  const cart = page.getByRole("dialog", { name: "CART" });
  await cart.getByLabel(/^Quantity of Unity Home/).waitFor();
  await expect.poll(() => count(page)).toBe("CART (1)");
  await cart.getByRole("link", { name: "CHECKOUT" }).click();
  await page.getByRole("dialog", { name: "Login" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
