import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newVisitor, WITH_WORKER } from "#tests/support/browser.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const BAR = "You’re offline. What you’ve visited can still be read, and your cart waits.";
const NETWORK = /ERR_INTERNET_DISCONNECTED|Failed to fetch|ERR_FAILED/; // the browser's own messages

/** Opens the shop and waits until its service worker controls the page. */
async function open(page: Page): Promise<void> {
  await page.goto(shop.url, { waitUntil: "networkidle" });
  await page.waitForFunction(() => navigator.serviceWorker.controller);
}

/** The paths that the service worker has cached. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

test("visited pages can be read offline, as documents and by walking; a bar says so and goes", async () => {
  const { page, context, complaints } = await newVisitor(browser, {
    ...WITH_WORKER,
    viewport: { width: 1440, height: 900 },
  });
  await open(page);
  await page.getByRole("link", { name: "SHOP", exact: true }).first().click();
  await page.getByRole("heading", { name: "SHOP" }).waitFor();
  await page.getByRole("link", { name: /Ankara Jersey/ }).click();
  await page.getByRole("heading", { name: "Ankara Jersey" }).waitFor();
  await expect
    .poll(() => kept(page))
    .toEqual(
      expect.arrayContaining([
        "/shop",
        "/shop.data",
        "/singleProduct/ankara-jersey",
        "/singleProduct/ankara-jersey.data",
      ]),
    );

  await context.setOffline(true);
  await page.getByText(BAR).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Ankara Jersey" }).waitFor();
  await page.getByText(BAR).waitFor();
  await page.getByRole("link", { name: "SHOP", exact: true }).first().click();
  await page.getByRole("heading", { name: "SHOP" }).waitFor();
  await page.getByRole("link", { name: "IREPO, to the home page" }).click();
  await page.getByRole("heading", { name: "New arrivals" }).waitFor();
  await page.goto(`${shop.url}/singleProduct/rings-tee`);
  await page.getByRole("heading", { name: "You’re offline" }).waitFor();

  await context.setOffline(false);
  await page.getByRole("heading", { name: "Linked Rings Tee" }).waitFor(); // the page loads by itself
  await page.goto(`${shop.url}/shop`);
  await page.getByText(BAR).waitFor({ state: "hidden" });
  expect(complaints.filter((line) => !NETWORK.test(line))).toEqual([]);
  await context.close();
});

test("nothing of an account, a cart, a checkout, an order or an API is kept", async () => {
  const { page, context } = await newVisitor(browser, WITH_WORKER);
  const customer = await newCustomer(shop, "offline@example.com");
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.url })));
  await open(page);
  for (const path of ["/account", "/Cart", "/checkout", "/login", "/order/none"])
    await page.goto(shop.url + path, { waitUntil: "networkidle" });
  await page.goto(`${shop.url}/about`, { waitUntil: "networkidle" });
  await expect.poll(() => kept(page)).toContain("/about");
  const private_ = (await kept(page)).filter((path) =>
    /account|cart|checkout|order|login|^\/api/i.test(path.replace(/^\/assets\/.*/, "")),
  );
  expect(private_).toEqual([]);
  await context.close();
});

test("a new build takes over at once and puts the old one's pages away", async () => {
  const { page, context } = await newVisitor(browser, WITH_WORKER);
  await open(page);
  await page.evaluate(async () => {
    await (await caches.open("pages older")).put("/shop", new Response("an old page"));
    await navigator.serviceWorker.register("/sw.js?v=newer");
  });
  await expect.poll(() => page.evaluate(() => caches.keys())).not.toContain("pages older");
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toContain("v=newer");
  await page.goto(`${shop.url}/shop`);
  await page.getByRole("heading", { name: "SHOP" }).waitFor();
  await context.close();
});
