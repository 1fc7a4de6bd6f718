import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor } from "#tests/support/browser.ts";
import { hasFocus } from "#tests/support/hands.ts";
import { ownerUrl } from "#tests/support/running-shop.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

async function visit(path: string, options?: BrowserContextOptions) {
  const { page, context } = await newVisitor(browser, options);
  await page.goto(shop.url + path, { waitUntil: "networkidle" });
  return { page, context };
}

test("without a size the button asks for one and leads to the sizes; another size starts again at one", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey");
  const sizes = page.getByRole("radio");
  expect(await sizes.evaluateAll((all) => all.some((size) => (size as HTMLInputElement).checked))).toBe(false);
  await page.getByRole("button", { name: "Choose a size" }).click({ force: true }); // the button is marked as disabled
  await expect.poll(() => hasFocus(sizes.first())).toBe(true);
  await page.keyboard.press("Space");
  const quantity = page.getByRole("group", { name: "Quantity" }).getByRole("status");
  await page.getByRole("button", { name: "One more" }).click();
  expect(await quantity.textContent()).toBe("2");
  await page.getByRole("radio", { name: "XXL" }).check();
  expect(await quantity.textContent()).toBe("1");
  for (let i = 0; i < 6; i++) await page.getByRole("button", { name: "One more" }).click({ force: true });
  await page.getByText("Cannot exceed available stock for this size").first().waitFor();
  expect(await quantity.textContent()).toBe("6");
  await context.close();
});

test("what delivery costs and when it arrives is said for the place that is chosen, here and in the cart, and nothing moves", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey");
  const next = page.getByText("Return or exchange within 14 days of delivery");
  const before = await next.boundingBox();
  await page.getByRole("combobox", { name: "Deliver to" }).selectOption("Kano");
  const estimate = /^Delivery to Kano \$8\.50 ≈ ₦13,600 ?, \d+ .*to \d+ \w+\. Another place/;
  const said = async () =>
    (await page.getByText("Another place").locator("xpath=../..").innerText()).replace(/\s+/g, " ");
  expect(await said()).toMatch(estimate);
  expect((await next.boundingBox())?.y).toBe(before?.y);
  await page.evaluate(() =>
    localStorage.setItem("cart", JSON.stringify([{ id: "unity-home-jersey", selectedSize: "M", quantity: 1 }])),
  );
  await page.goto(`${shop.url}/Cart`);
  await expect.poll(said).toMatch(estimate);
  await context.close();
});

test("a sold-out size is struck through, cannot be chosen and says so to a screen reader; the others say nothing", async () => {
  const { page, context } = await visit("/singleProduct/unity-away-jersey");
  const gone = page.getByRole("radio", { name: "XXL sold out" });
  expect(await gone.isDisabled()).toBe(true);
  expect(await gone.locator("..").evaluate((label) => getComputedStyle(label).textDecorationLine)).toBe("line-through");
  expect(await page.getByRole("radio", { name: /sold out/ }).count()).toBe(1);
  await context.close();
});

test("a model's other colours are links with pictures, and a sold-out one says so", async () => {
  const title = (id: string, words: string) =>
    ask(ownerUrl(shop), `update products set title = '${words}' where id = '${id}'`);
  for (const id of ["ankara-jersey", "eko-chevron-jersey"]) await title(id, "Lagoon Sash Jersey");
  const stock = (pieces: number) =>
    ask(ownerUrl(shop), `update product_sizes set supplied = sold + ${pieces} where product_id = 'eko-chevron-jersey'`);
  await stock(0);
  await expect.poll(async () => (await fetch(`${shop.url}/singleProduct/ankara-jersey`)).text()).toContain("3 colours");
  const { page, context } = await visit("/singleProduct/ankara-jersey", { viewport: { width: 360, height: 800 } });
  const colours = page.getByRole("navigation", { name: "Colours" });
  expect(await colours.getByRole("link").allInnerTexts()).toHaveLength(3);
  const outline = (link: Locator) => link.evaluate((one) => getComputedStyle(one).outlineStyle);
  expect(await colours.locator("[aria-current=page]").textContent()).toContain("Teal");
  expect(await outline(colours.locator("[aria-current=page]"))).toBe("solid");
  expect(await outline(colours.getByRole("link", { name: "White" }))).toBe("none");
  await colours.getByRole("link", { name: "Navy , sold out" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await colours.getByRole("link", { name: "White" }).click();
  await page.waitForURL("**/singleProduct/lagoon-sash-jersey");
  await expect.poll(() => colours.locator("[aria-current=page]").textContent()).toContain("White");
  await context.close();
  await title("ankara-jersey", "Ankara Jersey");
  await title("eko-chevron-jersey", "Eko Chevron Jersey");
  await stock(10);
});

test("every picture has its thumbnail on a phone, and a tap shows it large, another one near", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey");
  await page.getByText("1 / 3").waitFor();
  await page.getByRole("button", { name: /^Show picture 3/ }).click();
  await page.getByText("3 / 3").waitFor();
  await page.getByRole("button", { name: /close view.*: show large/ }).click();
  const dialog = page.getByRole("dialog", { name: "Large view" });
  await dialog.getByText("3 / 3").waitFor();
  const picture = dialog.getByRole("img");
  const far = (await picture.boundingBox())?.width ?? 0;
  await dialog.getByRole("button", { name: "Zoom in" }).click();
  expect((await picture.boundingBox())?.width).toBeGreaterThanOrEqual(2 * far);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await context.close();
});

test("in the large view a finger swipes from one picture to the next and back", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey", { isMobile: true, hasTouch: true });
  await page
    .getByRole("button", { name: /show large/ })
    .first()
    .tap();
  const dialog = page.getByRole("dialog", { name: "Large view" });
  await dialog.getByText("1 / 3").waitFor();
  const fingers = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] });
  const swipe = async (from: number, by: number) => {
    await touch("touchStart", from);
    for (let step = 1; step <= 12; step++) await touch("touchMove", from + (by * step) / 12);
    await touch("touchEnd");
  };
  await swipe(320, -250);
  await dialog.getByText("2 / 3").waitFor();
  await swipe(70, 250);
  await dialog.getByText("1 / 3").waitFor();
  await context.close();
});

test.each([
  ["with script after a touch of the strip", true],
  ["without script at once", false],
])("the third picture is fetched on a phone %s", async (_, javaScriptEnabled) => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey", { javaScriptEnabled });
  const third = page.locator("[data-gallery] > li").nth(2).locator("img");
  const isThere = () => third.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0);
  await expect.poll(isThere).toBe(!javaScriptEnabled);
  await page.locator("[data-gallery]").dispatchEvent("pointerdown");
  await expect.poll(isThere).toBe(true);
  await context.close();
});

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  if (!found) throw new Error(`${selector} is not to be seen`);
  return { ...found, bottom: found.y + found.height };
};

describe.each([
  [360, 640],
  [390, 844],
  [768, 1024],
])("at %i x %i", (width, height) => {
  test("picture, name and price are in the first screen above a bar that asks for a size, which stands above the navigation", async () => {
    const { page, context } = await visit("/singleProduct/unity-home-jersey", { viewport: { width, height } });
    const bar = await box(page, "[data-foot-bar]");
    const navigation = await page.getByRole("navigation", { name: "Shop" }).boundingBox();
    expect(bar.bottom).toBe(navigation?.y);
    expect((navigation?.y ?? 0) + (navigation?.height ?? 0)).toBe(height);
    expect((await box(page, "[data-gallery]")).height).toBeLessThanOrEqual(0.62 * height);
    expect((await box(page, "main h1")).y).toBeGreaterThan((await box(page, "[data-gallery]")).bottom);
    expect((await box(page, "main h1 ~ p .price")).bottom).toBeLessThanOrEqual(bar.y);
    await page.getByRole("button", { name: "Choose a size" }).click({ force: true });
    const sizes = await box(page, "main fieldset");
    expect([sizes.y > 0, sizes.bottom < bar.y]).toEqual([true, true]);
    await page.getByText("Please choose a size first.").waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(async () => (await box(page, "footer")).bottom).toBeLessThanOrEqual(bar.y);
    await context.close();
  });
});

test("on a desktop all pictures stand in two columns; the panel beside them stays in view", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey", DESKTOP);
  const pictures = await page
    .locator("[data-gallery] > li")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ x, width }) => ({ x, width })));
  expect(pictures).toHaveLength(3);
  expect(pictures[1]?.x).toBeGreaterThan(pictures[0]?.x ?? 0);
  expect(pictures[2]?.width).toBeGreaterThan(2 * (pictures[0]?.width ?? 0));
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(200);
  const title = await box(page, "main h1");
  expect([title.y > 0, title.y < 150]).toEqual([true, true]);
  await context.close();
});

test.each<["no-preference" | "reduce"]>([["no-preference"], ["reduce"]])(
  "in the large view keys, arrows and thumbnails turn the pictures, round and round (motion: %s)",
  async (reducedMotion) => {
    const { page, context, complaints } = await newVisitor(browser, { ...DESKTOP, reducedMotion });
    await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
    await page.evaluate(() => {
      const fade = document.startViewTransition.bind(document);
      document.startViewTransition = (change) => {
        document.documentElement.dataset.faded = "";
        return fade(change);
      };
    });
    await page.getByRole("button", { name: /back: show large/ }).click();
    const dialog = page.getByRole("dialog", { name: "Large view" });
    await dialog.getByText("2 / 3").waitFor();
    await page.keyboard.press("ArrowRight");
    await dialog.getByText("3 / 3").waitFor();
    await dialog.getByRole("button", { name: "Next picture" }).click();
    await dialog.getByText("1 / 3").waitFor();
    await dialog.getByRole("button", { name: /^Show picture 2/ }).click();
    await dialog.getByText("2 / 3").waitFor();
    await dialog.getByRole("button", { name: "Picture before" }).click();
    await dialog.getByText("1 / 3").waitFor();
    expect(await dialog.getByRole("img").count()).toBe(1);
    const faded = await page.evaluate(() => document.documentElement.dataset.faded !== undefined);
    expect(faded).toBe(reducedMotion === "no-preference");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await context.close();
    expect(complaints).toEqual([]);
  },
);

test.each<[string, "no-preference" | "reduce", number]>([
  ["travels to the count, and is gone then", "no-preference", 1],
  ["does not travel where less motion is wished", "reduce", 0],
])("the piece that is added %s", async (_, reducedMotion, travels) => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey", { ...DESKTOP, reducedMotion });
  await page.evaluate(() => {
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLImageElement) document.documentElement.dataset.travelled = node.src;
    }).observe(document.body, { childList: true });
  });
  await page.getByRole("group", { name: "Size" }).getByText("M", { exact: true }).click();
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByRole("dialog", { name: "CART" }).getByText("Unity Home Jersey").waitFor();
  await expect.poll(() => page.locator("html[data-travelled]").count()).toBe(travels);
  await expect.poll(() => page.locator("body > img").count()).toBe(0);
  await context.close();
});

describe("Share", () => {
  const share = (page: Page) => page.getByRole("button", { name: "Share Unity Home Jersey" }).click();

  test("opens the device's own sheet", async () => {
    const { page, context } = await newVisitor(browser);
    await page.addInitScript(() => {
      navigator.share = async (what) => {
        document.title = JSON.stringify(what);
      };
    });
    await page.goto(`${shop.url}/singleProduct/unity-home-jersey?from=mail`, { waitUntil: "networkidle" });
    await share(page);
    const shared = { title: "Unity Home Jersey", url: `${shop.url}/singleProduct/unity-home-jersey` };
    await expect.poll(() => page.title()).toBe(JSON.stringify(shared));
    expect(await page.getByText("Link copied.").count()).toBe(0);
    await context.close();
  });

  test("copies the link where there is none, and says so; its place is kept before the script comes", async () => {
    const { page, context } = await newVisitor(browser, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "share"));
    await page.goto(`${shop.url}/singleProduct/unity-home-jersey`, { waitUntil: "networkidle" });
    await share(page);
    await page.getByText("Link copied.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${shop.url}/singleProduct/unity-home-jersey`,
    );
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
    });
    await share(page);
    await page.getByText("We couldn’t copy the link. You can copy it from the address bar.").waitFor();
    await context.close();
  });
});

test("the size guide is one tap away and holds a picture and a table", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey");
  await page.getByRole("button", { name: "Size guide" }).click();
  const guide = page.getByRole("dialog", { name: "Size guide" });
  const picture = guide.getByRole("img");
  expect(await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBeGreaterThan(
    0,
  );
  expect(await picture.isVisible()).toBe(true);
  const table = guide.getByRole("table");
  expect(await table.getByRole("rowheader").allTextContents()).toEqual(["S", "M", "L", "XL", "XXL"]);
  await context.close();
});

test("a shopper’s own measures mark the size in an owner’s guide, stay after a reload, and go at a press", async () => {
  const measures = `[{"name":"Chest","meaning":"Around the fullest part of your chest"}]`;
  const sizes = `[{"size":"S","cm":[92]},{"size":"M","cm":[96.5]},{"size":"L","cm":[102]}]`;
  await ask(
    ownerUrl(shop),
    `insert into size_guides (id, name, kinds, measures, sizes) values ('jerseys', 'Jerseys', '{jerseys}', '${measures}', '${sizes}')`,
  );
  const path = "/singleProduct/unity-home-jersey";
  await expect.poll(async () => (await fetch(shop.url + path)).text()).toContain("Around the fullest part");
  const { page, context } = await visit(path, { viewport: { width: 360, height: 800 } });
  const guide = page.getByRole("dialog", { name: "Size guide" });
  const kept = () => page.evaluate(() => localStorage.getItem("measures"));
  await page.getByRole("button", { name: "Size guide" }).click();
  await guide.getByLabel("Chest, cm").fill("wide");
  await guide.getByRole("button", { name: "Save my measures" }).click();
  await guide.getByText("Type a number like 96").waitFor();
  expect(await hasFocus(guide.getByLabel("Chest, cm"))).toBe(true);
  await guide.getByLabel("Chest, cm").fill("96");
  await page.keyboard.press("Enter");
  await guide.getByText("Your size: M").waitFor();
  expect(await guide.getByRole("rowheader").allTextContents()).toEqual(["S ", "M Your size", "L "]);
  expect(await kept()).toBe('{"chest":{"value":96,"unit":"cm"}}');
  await guide.getByRole("button", { name: "Inches" }).press("Space");
  expect(await guide.getByRole("cell").allTextContents()).toEqual(["36.0 in", "38.0 in", "40.0 in"]);
  expect(await guide.getByLabel("Chest, in").inputValue()).toBe("37.8");
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await page.locator("input[type=radio]:checked").count(), "no size is chosen").toBe(0);
  await page.reload({ waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Size guide" }).click();
  await guide.getByText("Your size: M").waitFor();
  await guide.getByRole("button", { name: "Remove them" }).click();
  await expect.poll(() => guide.getByText("Your size").count()).toBe(0);
  expect(await kept()).toBeNull();
  await ask(ownerUrl(shop), "delete from size_guides");
  await expect.poll(async () => (await fetch(shop.url + path)).text()).not.toContain("Around the fullest part");
  await context.close();
});

test("only the first picture of the list is urgent, the first row is fetched at once, the rest when it comes near", async () => {
  const { page, context } = await visit("/shop");
  const pictures = await page.locator("main li a > span:first-child > span:first-child img").evaluateAll((all) =>
    (all as HTMLImageElement[]).map(({ loading, fetchPriority, width, height }) => ({
      loading,
      fetchPriority,
      sized: width > 0 && height > 0,
    })),
  );
  expect(pictures.map(({ fetchPriority }) => fetchPriority)).toEqual(["high", ...pictures.slice(1).map(() => "auto")]);
  expect(pictures.map(({ loading }) => loading)).toEqual(pictures.map((_, index) => (index < 4 ? "eager" : "lazy")));
  expect(pictures.every(({ sized }) => sized)).toBe(true);
  await context.close();
});
