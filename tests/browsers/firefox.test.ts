import { expect, onTestFinished, test } from "vitest";
import { newVisitor, WITH_WORKER } from "#tests/support/browser.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";
import { late } from "#tests/support/slow-network.ts";

useShopInBrowser();

/** The router's list of what each route needs, as the page has it. */
type Manifest = { routes: Record<string, { module: string }> };

test("who goes elsewhere while a page's script is on its way arrives there", async () => {
  const { page } = await newVisitor(browser);
  await page.goto(shop.url);
  const script = await page.evaluate(
    () => (Reflect.get(window, "__reactRouterManifest") as Manifest).routes["routes/about"]?.module,
  );
  const network = await late(shop.url, String(script));
  onTestFinished(network.stop);
  network.delays = [600_000];

  await page.goto(network.url);
  await page.getByRole("link", { name: "About" }).last().click();
  await expect.poll(() => network.unanswered).toBe(1);
  await page.goto(`${shop.url}/shop`);
  await page.getByRole("heading", { name: "SHOP" }).waitFor();
});

test("the page after is fetched ahead when somebody is about to go there", async () => {
  const { page, complaints } = await newVisitor(browser, { ...WITH_WORKER, viewport: { width: 1440, height: 900 } });
  await page.goto(`${shop.url}/shop`);
  const fetched = page.waitForResponse("**/singleProduct/unity-home-jersey.data");
  await page.getByRole("link", { name: /Unity Home Jersey/i }).hover();
  expect((await fetched).status()).toBe(200);
  expect(complaints).toEqual([]);
});
