import { expect, test } from "vitest";
import { newVisitor } from "#tests/support/browser.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

async function visit(path: string) {
  const { page, context } = await newVisitor(browser);
  await page.goto(shop.url + path, { waitUntil: "networkidle" });
  return { page, context };
}

test("without a size the button asks for one and leads to the sizes; another size starts again at one", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey");
  const sizes = page.getByRole("radio");
  expect(await sizes.evaluateAll((all) => all.some((size) => (size as HTMLInputElement).checked))).toBe(false);
  await page.getByRole("button", { name: "Choose a size" }).click({ force: true }); // it says that it is disabled
  expect(await sizes.first().evaluate((size) => size === document.activeElement)).toBe(true);
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
  const next = page.getByText("Return within 14 days of delivery");
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

test("every picture has its thumbnail on a phone, and a tap shows it large, another one near", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey");
  await page.getByText("1 / 3").waitFor();
  await page.getByRole("button", { name: /^Show picture 3/ }).click();
  await page.getByText("3 / 3").waitFor();
  await page.getByRole("button", { name: /close view: show large/ }).click();
  const dialog = page.getByRole("dialog", { name: "Large view" });
  const picture = dialog.getByRole("img");
  const far = (await picture.boundingBox())?.width ?? 0;
  await dialog.getByRole("button", { name: "Zoom in" }).click();
  expect((await picture.boundingBox())?.width).toBeGreaterThanOrEqual(2 * far);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await context.close();
});

test("the size guide is one tap away and holds a table", async () => {
  const { page, context } = await visit("/singleProduct/unity-home-jersey");
  await page.getByRole("button", { name: "Size guide" }).click();
  const table = page.getByRole("dialog", { name: "Size guide" }).getByRole("table");
  expect(await table.getByRole("rowheader").allTextContents()).toEqual(["S", "M", "L", "XL", "XXL"]);
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
