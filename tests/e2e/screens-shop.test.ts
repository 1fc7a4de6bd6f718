import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { drawn, newVisitor } from "#tests/support/browser.ts";
import { ownerSays } from "#tests/support/shop-command.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const count = (page: Page) => page.getByRole("main").getByRole("status").first().textContent();
const query = (page: Page) => new URL(page.url()).search;
const chipOf = (page: Page, text: string) => page.getByRole("link", { name: `${text} remove this filter` });

/** The chip is there at once, the products when they have come. */
async function filtered(page: Page, text: string): Promise<void> {
  await chipOf(page, text).waitFor();
  await page.locator('main [aria-busy="false"]').waitFor();
}

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
    await filtered(page, filter.chip);
    expect(query(page)).toBe(`?${filter.query}`);
    const fewer = await count(page);
    expect(fewer).not.toBe(all);
    await chipOf(page, filter.chip).click();
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
    await filtered(page, filter.chip);
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
  await filtered(page, "To ₦40000");
  expect(query(page)).toBe("?max=40000&currency=NGN");
  const fewer = await count(page);
  const { page: friend, context: elsewhere } = await newVisitor(browser, DESKTOP);
  await friend.goto(page.url());
  expect([await count(friend), await friend.getByRole("textbox", { name: "To ₦" }).inputValue()]).toEqual([
    fewer,
    "40000",
  ]);
  await chipOf(friend, "To ₦40000").click();
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
    await filtered(page, "Indigo");
    expect([new URL(page.url()).searchParams.get("kind"), await count(page)]).toEqual(["prints", "1 product"]);
    await kind(/^All/).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("kind")).toBeNull();
    await filtered(page, "Indigo");
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
  await filtered(page, "Size M");
  await size.waitFor({ state: "hidden" });
  await context.close();
});

test("search proposes products while somebody types, mistakes forgiven, by keyboard alone", async () => {
  const { page, context, complaints } = await newVisitor(browser, DESKTOP);
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  const search = page.getByRole("combobox", { name: "Search" });
  const type = async (text: string) => {
    const asked = await search.inputValue();
    const answered = page.waitForResponse((one) => new URL(one.url()).searchParams.get("q") === asked + text);
    await search.pressSequentially(text);
    await (await answered).finished();
    await drawn(page);
  };
  await type("ankarra jersy");
  const option = page.getByRole("option", { name: /Ankara Jersey/ });
  const proposed = page.getByRole("listbox", { name: "Products" }).getByRole("option");
  await expect.poll(() => proposed.allTextContents()).toEqual(["Ankara JerseyTeal"]);
  expect(await search.getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("ArrowDown");
  expect(await search.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
  await page.keyboard.press("Escape");
  await option.waitFor({ state: "hidden" });
  await type("s");
  await option.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/singleProduct/ankara-jersey");
  await context.close();
  expect(complaints).toEqual([]);
});

test("Enter never opens a product that has come into the place of the chosen one", async () => {
  const { page, context } = await newVisitor(browser, { ...DESKTOP, serviceWorkers: "block" });
  await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
  const search = page.getByRole("combobox", { name: "Search" });
  const option = (name: string) => page.getByRole("option", { name });
  await search.pressSequentially("unity");
  await option("Unity").first().waitFor();
  const { promise: chosen, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("**/api/suggestions**", (route) => chosen.then(() => route.continue()));
  await search.fill("rings");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => option("Unity").first().getAttribute("aria-selected")).toBe("true");
  goOn();
  await option("Rings").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/shop?q=rings");
  await context.close();
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
  await filtered(page, "“unity”");
  expect(await search.inputValue()).toBe("unity home");
  await context.close();
});

describe("while a choice still loads", () => {
  /** A shop whose lists come when they are let go, asked for by `first`. */
  async function loading(first: (page: Page) => Promise<unknown>, from = "/shop") {
    const { page, context } = await newVisitor(browser, { ...DESKTOP, serviceWorkers: "block" });
    await page.goto(shop.url + from, { waitUntil: "networkidle" });
    const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(/\/shop\.data/, (route) => released.then(() => route.continue().catch(() => undefined)));
    await first(page);
    await page.locator('main [aria-busy="true"]').waitFor();
    return { page, context, letGo };
  }
  const size = (page: Page) => page.getByLabel("Size").selectOption("M");
  const inStock = (page: Page) => page.getByLabel("In stock only");
  const jerseys = (page: Page) =>
    page
      .getByRole("navigation", { name: "Kinds" })
      .getByRole("link", { name: /^Jerseys/ })
      .click();

  test.each([
    ["a kind to a size", size, jerseys],
    ["a size to a kind", jerseys, size],
  ])("another one is added to it: %s", async (_, first, second) => {
    const { page, context, letGo } = await loading(first);
    await second(page);
    letGo();
    await page.waitForURL("**/shop?kind=jerseys&size=M");
    await filtered(page, "Size M");
    expect(await page.getByLabel("Size").inputValue()).toBe("M");
    await page.locator('[aria-current="true"]').getByText("Jerseys").waitFor();
    await context.close();
  });

  test("it can be undone, and leaves nothing to go back to", async () => {
    const { page, context, letGo } = await loading((page) => inStock(page).check());
    const visited = await page.evaluate(() => history.length);
    await inStock(page).uncheck();
    await chipOf(page, "In stock").waitFor({ state: "detached" });
    letGo();
    await page.locator('main [aria-busy="false"]').waitFor();
    expect(await inStock(page).isChecked()).toBe(false);
    expect([query(page), await page.evaluate(() => history.length)]).toEqual(["", visited]);
    await context.close();
  });

  test("a phone's button does not say how many there are before that is known", async () => {
    const { page, context, letGo } = await loading(async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole("button", { name: "Filter and sort" }).click();
      await page.getByRole("button", { name: "Show 16 products" }).waitFor();
      await size(page);
    });
    await page.getByRole("button", { name: "Show products", exact: true }).waitFor();
    letGo();
    await page.getByRole("button", { name: "Show 12 products" }).waitFor();
    await context.close();
  });

  test("a chip takes away its filter only", async () => {
    const { page, context, letGo } = await loading(size, "/shop?color=Navy");
    await chipOf(page, "Navy").click();
    letGo();
    await page.waitForURL("**/shop?size=M");
    await context.close();
  });
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
  await ownerSays(shop, "products", "import", file);
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

  test("Load more adds to what is chosen and still loads, once however often it is pressed", async () => {
    const { page, context } = await newVisitor(browser, { serviceWorkers: "block" });
    await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
    const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(/\/shop\.data/, (route) => released.then(() => route.continue().catch(() => undefined)));
    await page.getByRole("link", { name: /^Jerseys/ }).click();
    await page.locator('[aria-current="true"]').getByText("Jerseys").waitFor();
    const more = page.getByRole("link", { name: "Load more" });
    await more.click();
    expect(await more.getAttribute("href")).toBe("/shop?kind=jerseys&page=2");
    await more.click();
    letGo();
    await page.waitForURL("**/shop?kind=jerseys&page=2");
    await page.goBack();
    await page.waitForURL("**/shop");
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
