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

/** Waits for a filter's chip, which is there at once, and for the filtered products. */
async function filtered(page: Page, text: string): Promise<void> {
  await chipOf(page, text).waitFor();
  await page.locator('main [aria-busy="false"]').waitFor();
}

/** Opens one of the menus of large screens. */
async function openTool(page: Page, name: "Colour" | "Price"): Promise<void> {
  const tool = page.locator("details", { has: page.locator("summary", { hasText: name }) });
  if ((await tool.getAttribute("open")) === null) await tool.locator("summary").click();
}

async function chooseColor(page: Page, name: string): Promise<void> {
  await openTool(page, "Colour");
  await page.getByRole("checkbox", { name, exact: true }).check();
}

async function fillPrice(page: Page, label: string, amount: string): Promise<void> {
  await openTool(page, "Price");
  await page.getByRole("textbox", { name: label }).fill(amount);
}

const FILTERS: { name: string; set(page: Page): Promise<unknown>; query: string; chip: string }[] = [
  { name: "size", set: (page) => page.getByLabel("Size").selectOption("XXL"), query: "size=XXL", chip: "Size XXL" },
  { name: "colour", set: (page) => chooseColor(page, "Brown"), query: "color=brown", chip: "Brown" },
  {
    name: "lowest price",
    set: (page) => fillPrice(page, "From $", "60"),
    query: "min=60",
    chip: "From $60",
  },
  { name: "highest price", set: (page) => fillPrice(page, "To $", "30"), query: "max=30", chip: "To $30" },
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
  await fillPrice(page, "To ₦", "40000");
  await page.keyboard.press("Enter");
  await filtered(page, "To ₦40,000");
  expect(query(page)).toBe("?max=40000&currency=NGN");
  const fewer = await count(page);
  const { page: friend, context: elsewhere } = await newVisitor(browser, DESKTOP);
  await friend.goto(page.url());
  expect([await count(friend), await friend.locator("[name=max]").inputValue()]).toEqual([fewer, "40,000"]);
  await chipOf(friend, "To ₦40,000").click();
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
    await page.waitForURL("**/collections/prints?size=XXL");
    await page.locator('[aria-current="true"]').getByText("Prints").waitFor();
    await chooseColor(page, "Orange");
    if (!javaScriptEnabled) await page.getByRole("button", { name: /^Show \d+ products/ }).click();
    await filtered(page, "Orange");
    expect([new URL(page.url()).pathname, await count(page)]).toEqual(["/collections/prints", "1 product"]);
    await kind(/^All/).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/shop");
    await filtered(page, "Orange");
    await context.close();
  },
);

test.each([true, false])("several colours can be chosen, and each goes with its chip (script: %s)", async (script) => {
  const { page, context } = await newVisitor(browser, { ...DESKTOP, javaScriptEnabled: script });
  await page.goto(`${shop.url}/shop`);
  const show = () => page.getByRole("button", { name: /^Show \d+ products/ }).click();
  const colors = () => page.getByRole("main").locator("li > a[href^='/singleProduct/'] .text-muted").allTextContents();
  await chooseColor(page, "Black");
  if (script) await filtered(page, "Black");
  await chooseColor(page, "Brown");
  if (!script) await show();
  for (const name of ["Black", "Brown"]) await filtered(page, name);
  if (script) expect(query(page)).toBe("?color=brown+black");
  expect(new Set((await colors()).filter((text) => !text.includes("₦")))).toEqual(
    new Set(["Cocoa", "Black", "Washed Black"]),
  );
  await chipOf(page, "Black").click();
  await expect.poll(() => query(page)).toBe("?color=brown");
  await openTool(page, "Colour");
  await expect.poll(() => page.getByRole("checkbox", { name: "Black" }).isChecked()).toBe(false);
  expect(await page.getByRole("checkbox", { name: "Other" }).count()).toBe(0); // each colour of the demo is known
  await context.close();
});

test("on a phone the first picture is high up, the chosen kind is in view, and the header leads to the search", async () => {
  const { page, context } = await newVisitor(browser, { viewport: { width: 360, height: 640 } });
  await page.goto(`${shop.url}/collections/accessories`, { waitUntil: "networkidle" });
  const chosen = await page.locator("nav [aria-current='true']").boundingBox();
  expect((chosen?.x ?? 0) + (chosen?.width ?? 0)).toBeLessThanOrEqual(360);
  await page.goto(`${shop.url}/about`, { waitUntil: "networkidle" });
  await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
  const search = page.getByRole("combobox", { name: "Search" });
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await search.getAttribute("placeholder")).toBe("Search");
  await page.goto(`${shop.url}/shop`);
  expect((await page.locator("main li picture").first().boundingBox())?.y).toBeLessThanOrEqual(260);
  await context.close();
});

test("a search that finds nothing offers another spelling and what comes near, without script", async () => {
  const { page, context } = await newVisitor(browser, { javaScriptEnabled: false });
  await page.goto(`${shop.url}/shop?q=ankra+hoodie`);
  await page.getByRole("heading", { name: "No results for “ankra hoodie”." }).waitFor();
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
  ["min=60&max=20", "To $", "The highest price must be above the lowest."],
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
  const { page, context } = await newVisitor(browser, DESKTOP);
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
  const { page, context } = await newVisitor(browser, DESKTOP);
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
  /** A shop page on which `first` has requested a list. Lists arrive only when they are let go. */
  async function loading(first: (page: Page) => Promise<unknown>, from = "/shop") {
    const { page, context } = await newVisitor(browser, DESKTOP);
    await page.goto(shop.url + from, { waitUntil: "networkidle" });
    const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(/\/(shop|collections\/jerseys)\.data/, (route) =>
      released.then(() => route.continue().catch(() => undefined)),
    );
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
    await page.waitForURL("**/collections/jerseys?size=M");
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
    const { page, context, letGo } = await loading(size, "/shop?color=blue");
    await chipOf(page, "Blue").click();
    letGo();
    await page.waitForURL("**/shop?size=M");
    await context.close();
  });
});

/** Imports so many more plain products, beside the demo's sixteen. */
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
    const { page, context } = await newVisitor(browser);
    await page.goto(`${shop.url}/shop`, { waitUntil: "networkidle" });
    const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(/\/(shop|collections\/jerseys)\.data/, (route) =>
      released.then(() => route.continue().catch(() => undefined)),
    );
    await page.getByRole("link", { name: /^Jerseys/ }).click();
    await page.locator('[aria-current="true"]').getByText("Jerseys").waitFor();
    const more = page.getByRole("link", { name: "Load more" });
    await more.click();
    expect(await more.getAttribute("href")).toBe("/collections/jerseys?page=2");
    await more.click();
    letGo();
    await page.waitForURL("**/collections/jerseys?page=2");
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

  test("3 no list is longer than five pages: the next one is a page of its own, and Back leads to where one was", async () => {
    const { page, context } = await newVisitor(browser);
    await page.goto(`${shop.url}/shop?page=4`, { waitUntil: "networkidle" });
    const cards = page.getByRole("main").locator("li > a[href^='/singleProduct/']");
    await page.getByRole("link", { name: "Load more" }).click();
    await expect.poll(() => cards.count()).toBe(60);
    const next = page.getByRole("link", { name: "More products" });
    await next.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    await next.click();
    await page.getByText("61 to 72 of 1,200+").waitFor();
    expect([query(page), await cards.count()]).toEqual(["?page=6", 12]);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    expect(await page.getByRole("link", { name: "Earlier products" }).getAttribute("href")).toBe("/shop?page=5");
    await page.goBack();
    await expect.poll(() => cards.count()).toBe(60);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
    await context.close();
  });

  test("3 a page that is beyond all products shows the first ones", async () => {
    const { page, context } = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${shop.url}/shop?page=99&max=20&color=Sand&q=more-0`);
    expect(await page.getByRole("main").locator("li > a[href^='/singleProduct/']").count()).toBeLessThanOrEqual(64);
    await page.goto(`${shop.url}/shop?page=99&kind=prints`);
    expect(await page.getByRole("main").locator("li > a[href^='/singleProduct/']").count()).toBeGreaterThan(0);
    await context.close();
  });

  test("says so, and the last page shows the way to the others", async () => {
    const { page, context } = await newVisitor(browser, { javaScriptEnabled: false });
    await page.goto(`${shop.url}/shop?page=98`);
    await page.getByText("1,200+ products").first().waitFor();
    await page.getByRole("link", { name: "Load more" }).click();
    await page.waitForURL("**/shop?page=99");
    await page.getByText("1,188 of 1,200+").waitFor();
    await page.getByText("Search or filter to find the others.").waitFor();
    expect(await page.getByRole("link", { name: "Load more" }).count()).toBe(0);
    await context.close();
  });
});
