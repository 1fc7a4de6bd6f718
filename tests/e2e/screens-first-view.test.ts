import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newVisitor } from "#tests/support/browser.ts";
import { browser, shop, useShopInBrowser } from "#tests/support/shop-in-browser.ts";

useShopInBrowser();

test.each([
  [360, 640],
  [768, 1024],
])("the first view of a product on %i x %i shows its name and its price, under no bar", async (width, height) => {
  const { page, context } = await newVisitor(browser, { viewport: { width, height } });
  await page.goto(`${shop.url}/singleProduct/unity-home-jersey`);
  const main = page.getByRole("main");
  for (const wanted of [main.getByRole("heading", { level: 1 }), main.getByText("$49.99").first()])
    expect(await isUncovered(wanted)).toBe(true);
  await context.close();
});

/** Whether all four corners of an element's text are in the window, and nothing lies on them. */
function isUncovered(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].every(({ left, right, top, bottom }) =>
      [
        [left + 2, top + 2],
        [right - 2, top + 2],
        [left + 2, bottom - 2],
        [right - 2, bottom - 2],
      ].every(([x = 0, y = 0]) => {
        const seen = document.elementFromPoint(x, y);
        return seen !== null && (element.contains(seen) || seen.contains(element));
      }),
    );
  });
}

/** Where something is said in a toast. */
const TOASTS: [string, string, (page: Page) => Promise<unknown>][] = [
  [
    "more is wanted than there is",
    "/singleProduct/unity-home-jersey",
    async (page) => {
      await page.getByRole("group", { name: "Size" }).first().getByText("XXL", { exact: true }).click();
      for (let i = 0; i < 6; i++) await page.getByRole("button", { name: "One more" }).first().click({ force: true });
    },
  ],
  [
    "a guest wants to pay",
    "/Cart",
    async (page) => {
      await page.getByRole("link", { name: "Checkout" }).click();
      await page.getByRole("dialog", { name: "Login" }).waitFor();
    },
  ],
  [
    "the newsletter lacks an address",
    "/about",
    (page) => page.getByRole("contentinfo").getByRole("button", { name: "Subscribe" }).click(),
  ],
];
const SIZES = [
  [360, 640],
  [768, 1024],
  [1440, 900],
  [1920, 1080],
] as const;

test.each(TOASTS.flatMap(([when, path, act]) => SIZES.map(([width, height]) => ({ when, path, act, width, height }))))(
  "a toast covers no heading when $when, on $width x $height",
  async ({ path, act, width, height }) => {
    const { page, context } = await newVisitor(browser, { viewport: { width, height } });
    await page.addInitScript(() =>
      localStorage.setItem(
        "cart",
        JSON.stringify([{ id: "unity-home-jersey", selectedSize: "M", color: "Palm Green", quantity: 1 }]),
      ),
    );
    await page.goto(shop.url + path);
    if (path === "/Cart") await page.getByLabel(/^Quantity of Unity Home/).waitFor();
    await act(page);
    const toast = page
      .locator('[class^="go"]')
      .filter({ has: page.getByRole("status") })
      .last();
    await toast.waitFor();
    const isMoving = () =>
      toast.evaluate((element) => element.getAnimations().some(({ playState }) => playState === "running"));
    await expect.poll(isMoving).toBe(false);
    expect(await headingsUnder(page, toast)).toEqual([]);
    await context.close();
  },
);

/** The headings in view that lie under this. */
async function headingsUnder(page: Page, target: Locator): Promise<string[]> {
  const box = await target.boundingBox();
  if (!box) throw new Error("There is no toast");
  return page.evaluate(({ x, y, width, height }) => {
    const dialog = document.querySelector("dialog:modal");
    const headings = [...(dialog ?? document).querySelectorAll("h1, h2, h3")];
    return headings
      .filter((heading) => {
        const { left, right, top, bottom } = heading.getBoundingClientRect();
        const isSeen = heading.checkVisibility() && bottom > 0 && top < innerHeight;
        return isSeen && left < x + width && right > x && top < y + height && bottom > y;
      })
      .map((heading) => heading.textContent ?? "");
  }, box);
}
