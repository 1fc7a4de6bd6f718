import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor, openBrowser } from "#tests/support/browser.ts";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { freePort, ownerUrl, type RunningShop, runShop } from "#tests/support/running-shop.ts";

let shop: RunningShop;
let browser: Browser;
let office: string;

beforeAll(async () => {
  const port = await freePort();
  office = `http://localhost:${port}`;
  [shop, browser] = await Promise.all([runShop({ OFFICE_PORT: String(port) }), openBrowser()]);
  await vi.waitUntil(() => shop.said().includes(`Back office: ${office}`), { timeout: 60_000 });
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

const HEIGHT = 800;
async function signedIn(width: number) {
  const visitor = await newVisitor(browser, { viewport: { width, height: HEIGHT } });
  await visitor.page.goto(office);
  await visitor.page.getByRole("button", { name: "Sign in as the demo’s owner" }).click();
  await heading(visitor.page, "Today").waitFor();
  return visitor;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const picture = (name: string) => `db/demo/images/palm-long-sleeve-${name}.jpg`;
const inShop = async (id: string) => (await fetch(`${shop.url}/singleProduct/${id}`)).text();

/** Neither axe nor the width has anything to say of the screen. */
async function isInOrder(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

/** The words for the pictures, in their order. */
async function order(id: string): Promise<unknown[]> {
  const rows = await ask(
    ownerUrl(shop),
    `select alt from products, jsonb_to_recordset(images) as image(alt text) where id = '${id}'`,
  );
  return rows.map(({ alt }) => alt);
}

describe.each([1440, 360])("at %i px", (width) => {
  test("a product with three pictures, from nothing to sold", async () => {
    const { page, complaints, context } = await signedIn(width);
    const title = `Palm Jersey ${width}`;
    const id = `palm-jersey-${width}`;
    await page.goto(`${office}/products`);
    await heading(page, "Products").waitFor();
    await isInOrder(page);
    await page.getByRole("link", { name: "New product" }).click();
    await heading(page, "New product").waitFor();
    await isInOrder(page);

    await page.getByLabel("Add pictures").setInputFiles([picture("back"), picture("front"), picture("detail")]);
    await page.getByRole("row").nth(2).waitFor();
    for (const [at, words] of ["from behind", "from the front", "close"].entries()) {
      await press(page, `Words and focus of picture ${at + 1}`);
      await page.getByLabel("Words for the").fill(words);
    }
    await page.getByLabel("From the top").fill("20");
    // By the keyboard: the second picture before the first one.
    await page.getByRole("row").first().focus();
    for (const [key, leads] of [
      ["ArrowRight", /^Picture 2/],
      ["Tab", /^Move picture 2/],
      ["Enter", /^Insert between Picture 2/],
      ["ArrowLeft", /^Insert between Picture 1/],
      ["ArrowLeft", /^Insert before Picture 1/],
      ["Enter", /^Picture 1: from the front/],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toMatch(leads);
    }
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Colour").fill("Green");
    await page.getByLabel("Price in dollars").fill("0.49");
    await page.getByText("$0.49 is less than a dollar.").waitFor();
    await page.getByLabel("Price in dollars").fill("49.99");
    await page.getByText("₦79,984").waitFor();
    await page.getByLabel("Pieces of M").fill("3");
    await page.getByText("Published", { exact: true }).click();
    await isInOrder(page);
    await press(page, "Add the product");
    await heading(page, title).waitFor();
    await page.getByText("Added.", { exact: true }).waitFor();
    expect(await order(id)).toEqual(["from the front", "from behind", "close"]);
    expect(complaints).toEqual([]);
    await isInOrder(page);

    await expect.poll(() => inShop(id)).toContain("object-position:50% 20%");
    const shopper = await newCustomer(shop, `ada-${width}@example.com`);
    await shopper.post("/Cart", { intent: "add", id, size: "M", quantity: "1" });
    await endPayment((await pressPay(shopper)).headers.get("location") ?? "", "success");
    await expect
      .poll(() => ask(ownerUrl(shop), `select sold from product_sizes where product_id = '${id}' and size = 'M'`))
      .toEqual([{ sold: 1 }]);
    await press(page, "More");
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await press(page, "Delete it");
    await page.getByText("It has been ordered").waitFor();
    await context.close();
  });

  test("of two on one product the later one sees both, chooses, and loses nothing", async () => {
    const [bisi, chidi] = [await signedIn(width), await signedIn(width)];
    const path = `${office}/products/ankara-jersey`;
    for (const { page } of [bisi, chidi]) await page.goto(path);
    const price = ({ page }: typeof bisi) => page.getByLabel("Price in dollars");
    const before = Number(await price(bisi).inputValue());
    const bar = await bisi.page.getByRole("button", { name: "Save", exact: true }).boundingBox();
    expect((bar?.y ?? HEIGHT) + (bar?.height ?? 0)).toBeLessThanOrEqual(HEIGHT); // without a way to the form's end
    expect(await bisi.page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(HEIGHT);
    const [hers, his] = [(before + 2).toFixed(2), (before - 1).toFixed(2)];
    await price(bisi).fill(hers);
    await bisi.page.getByLabel("Description").fill(`Wax print ${width}`);
    await price(chidi).fill(his);
    await chidi.page.getByLabel("Colour").fill(`Teal ${width}`);
    await press(chidi.page, "Save");
    await chidi.page.getByText("Saved.", { exact: true }).waitFor();

    const save = bisi.page.getByRole("button", { name: "Save", exact: true });
    if (await save.isEnabled()) await save.click();
    await bisi.page.getByText("One field differs").waitFor();
    await isInOrder(bisi.page);
    expect(await save.isEnabled()).toBe(false);
    expect(await price(bisi).inputValue()).toBe(hers);
    await bisi.page.reload(); // the device keeps what was typed
    await bisi.page.getByText("One field differs").waitFor();
    await press(bisi.page, "Keep mine (price)");
    expect(await bisi.page.getByLabel("Colour").inputValue()).toBe(`Teal ${width}`);
    await press(bisi.page, "Save");
    await bisi.page.getByText("Saved.", { exact: true }).waitFor();
    const [row] = await ask(
      ownerUrl(shop),
      "select price_cents, color, description from products where id = 'ankara-jersey'",
    );
    expect(row).toEqual({
      price_cents: Math.round(Number(hers) * 100),
      color: `Teal ${width}`,
      description: `Wax print ${width}`,
    });
    await bisi.page.getByText(`$${his} → $${hers}`).waitFor();
    await isInOrder(bisi.page);
    expect([...bisi.complaints, ...chidi.complaints].filter((one) => !one.includes("422"))).toEqual([]);
    await Promise.all([bisi.context.close(), chidi.context.close()]);
  });
});

test("a picture that does not arrive says why beside it, and can be sent again", async () => {
  const { page, context } = await signedIn(360);
  await page.goto(`${office}/products/new`);
  await page.getByLabel("Title").fill("Kept");
  await context.setOffline(true);
  await page.getByLabel("Add pictures").setInputFiles([picture("front"), "package.json"]);
  await page.getByText("No connection", { exact: true }).waitFor();
  await context.setOffline(false);
  await press(page, "Try again");
  await page.getByRole("row").first().waitFor();
  await page
    .getByLabel("Add pictures")
    .setInputFiles({ name: "bad.png", mimeType: "image/png", buffer: Buffer.from("no") });
  await page.getByText("No picture that can be read").waitFor();
  await isInOrder(page);
  await press(page, "Leave it out");
  await page.reload();
  await page.getByText("What you typed and did not save is here again.").waitFor();
  expect(await page.getByRole("row").count()).toBe(1);
  expect(await page.getByLabel("Title").inputValue()).toBe("Kept");
  await context.close();
});
