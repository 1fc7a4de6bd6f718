import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { newVisitor } from "#tests/support/browser.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const count = (page: Page) => page.getByRole("main").getByRole("status").first().textContent();
const query = (page: Page) => new URL(page.url()).search;

const FILTERS: { name: string; set(page: Page): Promise<unknown>; query: string; chip: string }[] = [
  { name: "size", set: (page) => page.getByLabel("Size").selectOption("XXL"), query: "size=XXL", chip: "Size XXL" },
  { name: "colour", set: (page) => page.getByLabel("Colour").selectOption("Navy"), query: "color=Navy", chip: "Navy" },
  {
    name: "lowest price",
    set: (page) => page.getByLabel("From $").fill("60"),
    query: "min=60",
    chip: "From $60",
  },
  { name: "highest price", set: (page) => page.getByLabel("To $").fill("30"), query: "max=30", chip: "To $30" },
  { name: "stock", set: (page) => page.getByLabel("In stock only").check(), query: "available=on", chip: "In stock" },
  { name: "search", set: (page) => page.getByLabel("Search").fill("ankarra"), query: "q=ankarra", chip: "“ankarra”" },
];

describe("a filter by", () => {
  test.each(FILTERS)("$name counts with script, goes with its chip, and comes back with Back", async (filter) => {
    const { page, context, complaints } = await newVisitor(browser, DESKTOP);
    await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
    const all = await count(page);
    await filter.set(page);
    await page.keyboard.press("Enter");
    const chip = page.getByRole("link", { name: `${filter.chip} remove this filter` });
    await chip.waitFor();
    expect(query(page)).toBe(`?${filter.query}`);
    const fewer = await count(page);
    expect(fewer).not.toBe(all);
    await chip.click();
    await expect.poll(() => count(page)).toBe(all);
    expect(query(page)).toBe("");
    await page.goBack();
    await expect.poll(() => count(page)).toBe(fewer);
    await page.getByRole("link", { name: "Clear all" }).click();
    await expect.poll(() => count(page)).toBe(all);
    // The fields follow the URL: another filter does not bring this one back.
    await page.getByRole("combobox", { name: "Sort" }).selectOption("price-up");
    await expect.poll(() => query(page)).toBe("?sort=price-up");
    await context.close();
    expect(complaints).toEqual([]);
  });

  test.each(FILTERS)("$name counts without script", async (filter) => {
    const { page, context } = await newVisitor(browser, { ...DESKTOP, javaScriptEnabled: false });
    await page.goto(`${shop.url}/shop`);
    const all = await count(page);
    await filter.set(page);
    await page.getByRole("button", { name: /^Show \d+ products/ }).click();
    await page.getByRole("link", { name: `${filter.chip} remove this filter` }).waitFor();
    expect(await count(page)).not.toBe(all);
    await context.close();
  });
});

test("where naira leads, prices are filtered in naira, and who gets the link sees it in naira", async () => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.addInitScript(() => localStorage.setItem("currency", "NGN"));
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  await page.getByRole("textbox", { name: "To ₦" }).fill("40,000");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "To ₦40000 remove this filter" }).waitFor();
  expect(query(page)).toBe("?max=40000&currency=NGN");
  const fewer = await count(page);
  const { page: friend, context: elsewhere } = await newVisitor(browser, DESKTOP);
  await friend.goto(page.url());
  expect([await count(friend), await friend.getByRole("textbox", { name: "To ₦" }).inputValue()]).toEqual([
    fewer,
    "40000",
  ]);
  await friend.getByRole("link", { name: "To ₦40000 remove this filter" }).click();
  await expect.poll(() => query(friend)).toBe("");
  await Promise.all([context.close(), elsewhere.close()]);
});

test.each([true, false])(
  "the kinds are links above the list, which keep the other filters and are kept by them (script: %s)",
  async (javaScriptEnabled) => {
    const { page, context } = await newVisitor(browser, { ...DESKTOP, javaScriptEnabled });
    const kind = (name: RegExp) => page.getByRole("navigation", { name: "Kinds" }).getByRole("link", { name });
    await page.goto(`${shop.url}/shop?size=XXL`);
    await kind(/^Prints/).click();
    await page.waitForURL("**/shop?kind=prints&size=XXL");
    await page.locator('[aria-current="true"]').getByText("Prints").waitFor();
    await page.getByLabel("Colour").selectOption("Indigo");
    if (!javaScriptEnabled) await page.getByRole("button", { name: /^Show \d+ products/ }).click();
    await page.getByRole("link", { name: "Indigo remove this filter" }).waitFor();
    expect([new URL(page.url()).searchParams.get("kind"), await count(page)]).toEqual(["prints", "1 product"]);
    await kind(/^All/).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("kind")).toBeNull();
    await page.getByRole("link", { name: "Indigo remove this filter" }).waitFor();
    await context.close();
  },
);

test("a search that finds nothing offers another spelling and what comes near, without script", async () => {
  const { page, context } = await newVisitor(browser, { javaScriptEnabled: false });
  await page.goto(`${shop.url}/shop?q=ankra+hoodie`);
  await page.getByRole("heading", { name: "Nothing fits “ankra hoodie”." }).waitFor();
  expect(await page.getByRole("main").locator("li > a[href^='/singleProduct/']").count()).toBe(4);
  await page.getByRole("link", { name: "ankara", exact: true }).click();
  await page.waitForURL("**/shop?q=ankara");
  await page.getByRole("link", { name: /Ankara Jersey/ }).waitFor();
  await context.close();
});

test("on a phone the proposals are as wide as the page", async () => {
  const { page, context } = await newVisitor(browser);
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  await page.getByRole("combobox", { name: "Search" }).pressSequentially("unity");
  const list = page.getByRole("listbox", { name: "Products" });
  await list.waitFor();
  const { width } = (await list.boundingBox()) ?? { width: 0 };
  expect(width).toBeGreaterThan(390 - 40);
  await context.close();
});

test.each([
  ["min=cheap", "From $", "Please enter an amount like 25 or 49.99."],
  ["min=60&max=20", "To $", "This is less than the price from which you look."],
])("a price that makes no sense (%s) is told beside its field", async (search, label, error) => {
  const { page, context } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/shop?${search}`);
  const field = page.getByLabel(label);
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  await page.getByText(error).waitFor();
  await context.close();
});

test.each([true, false])("on a phone the filters are a sheet (script: %s)", async (javaScriptEnabled) => {
  const { page, context } = await newVisitor(browser, { javaScriptEnabled });
  await page.goto(`${shop.url}/shop`);
  const size = page.getByLabel("Size");
  expect(await size.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Filter and sort" }).click();
  await size.selectOption("M");
  await page.getByRole("button", { name: /^Show \d+ products/ }).click();
  await page.getByRole("link", { name: "Size M remove this filter" }).waitFor();
  await size.waitFor({ state: "hidden" });
  await context.close();
});

test("search proposes products while somebody types, mistakes forgiven, by keyboard alone", async () => {
  const { page, context, complaints } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  const search = page.getByRole("combobox", { name: "Search" });
  await search.pressSequentially("ankarra jersy");
  const option = page.getByRole("option", { name: /Ankara Jersey/ });
  const proposed = page.getByRole("listbox", { name: "Products" }).getByRole("option");
  await expect.poll(() => proposed.allTextContents()).toEqual(["Ankara JerseyTeal"]);
  expect(await search.getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("ArrowDown");
  expect(await search.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
  await page.keyboard.press("Escape");
  await option.waitFor({ state: "hidden" });
  await search.pressSequentially("s");
  await option.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/singleProduct/ankara-jersey");
  await context.close();
  expect(complaints).toEqual([]);
});

test("what is typed on while a search arrives stays", async () => {
  const { page, context } = await newVisitor(browser, { ...DESKTOP, serviceWorkers: "block" });
  await page.goto(`${shop.url}/shop`);
  const search = page.getByRole("combobox", { name: "Search" });
  const { promise: typed, resolve: go } = Promise.withResolvers<void>();
  await page.route(/\/shop\.data/, async (route) => {
    await typed;
    await route.continue();
  });
  await search.fill("unity");
  await search.press("Enter");
  await search.pressSequentially(" home");
  go();
  await page.waitForURL("**/shop?q=unity");
  await page.getByRole("link", { name: "“unity” remove this filter" }).waitFor();
  expect(await search.inputValue()).toBe("unity home");
  await context.close();
});

/** So many plain products more, beside the demo's sixteen. */
async function importProducts(count: number): Promise<void> {
  const file = path.join(shop.dataDir, "more.json");
  const more = Array.from({ length: count }, (_, index) => ({
    id: `more-${index}`,
    title: `More ${index}`,
    color: "Sand",
    price: 20,
    sizes: { M: 3 },
    images: [],
  }));
  writeFileSync(file, JSON.stringify(more));
  await promisify(execFile)(process.execPath, ["scripts/shop.ts", "products", "import", file], {
    env: { ...process.env, DATA_DIR: shop.dataDir },
  });
}

test("a row more than a page shows comes along: nobody has to ask for it", async () => {
  const { page, context } = await newVisitor(browser);
  await page.goto(`${shop.url}/shop`);
  expect(await page.getByRole("main").locator("li > a[href^='/singleProduct/']").count()).toBe(16);
  expect(await page.getByRole("link", { name: "Load more" }).count()).toBe(0);
  await context.close();
});

describe("with more products than a page shows", () => {
  beforeAll(() => importProducts(8));

  test("Load more adds the next ones, and Back from a product finds the same place", async () => {
    const { page, context } = await newVisitor(browser);
    await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
    const cards = page.getByRole("main").locator("li > a[href^='/singleProduct/']");
    const first = await cards.count();
    await page.getByRole("link", { name: "Load more" }).click();
    await expect.poll(() => cards.count()).toBeGreaterThan(first);
    expect(query(page)).toBe("?page=2");
    await expect.poll(() => cards.nth(first).evaluate((card) => card === document.activeElement)).toBe(true);
    await cards.last().scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    expect(place).toBeGreaterThan(500);
    await cards.last().click();
    await page.waitForURL("**/singleProduct/**");
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await page.waitForURL("**/shop?page=2");
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
    await context.close();
  });

  test("Back finds the same place also over pages that were loaded anew", async () => {
    const { page, context } = await newVisitor(browser);
    const goTo = async (y: number) => {
      await page.evaluate((to) => scrollTo(0, to), y);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(y);
    };
    await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
    await goTo(900);
    await page
      .getByRole("main")
      .locator("li > a[href^='/singleProduct/']")
      .first()
      .evaluate((card: HTMLElement) => card.click());
    await page.waitForURL("**/singleProduct/**");
    await page.goto(`${shop.url}/about`, { waitUntil: "networkidle" });
    await goTo(120);
    await page.goBack({ waitUntil: "networkidle" });
    await page.goBack();
    await page.waitForURL("**/shop");
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(900);
    await context.close();
  });

  test("Load more is a link without script", async () => {
    const { page, context } = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${shop.url}/shop`);
    await page.getByRole("link", { name: "Load more" }).click();
    await page.waitForURL("**/shop?page=2");
    expect(await page.getByRole("link", { name: "Load more" }).count()).toBe(0);
    await context.close();
  });
});

describe("with more products than are counted", () => {
  beforeAll(() => importProducts(1300));

  test("says so, and the last page shows the way to the others", async () => {
    const { page, context } = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${shop.url}/shop?page=98`);
    await page.getByText("1,200+ products").first().waitFor();
    await page.getByRole("link", { name: "Load more" }).click();
    await page.waitForURL("**/shop?page=99");
    await page.getByText("1,188 of 1,200+").waitFor();
    await page.getByText("A search or a filter finds the others.").waitFor();
    expect(await page.getByRole("link", { name: "Load more" }).count()).toBe(0);
    await context.close();
  });
});
