import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { violations } from "#tests/support/axe.ts";
import { newVisitor, openBrowser } from "#tests/support/browser.ts";
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

async function signedIn(width: number) {
  const visitor = await newVisitor(browser, { viewport: { width, height: 800 } });
  await visitor.page.goto(office);
  await visitor.page.getByRole("button", { name: "Sign in as the demo’s owner" }).click();
  await visitor.page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  return visitor;
}

const asked = (query: string) => ask(ownerUrl(shop), query);
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
/** "14 22 18 9 2": what is in stock of a product's sizes. */
async function stockOf(id: string): Promise<string> {
  const rows = await asked(
    `select on_hand from product_sizes where product_id = '${id}' order by array_position(array['S','M','L','XL','XXL'], size)`,
  );
  return rows.map((row) => row.on_hand).join(" ");
}

async function isInOrder(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

/** What was copied from a sheet is pasted. */
async function pasteBlock(page: Page, text: string): Promise<void> {
  await page.evaluate((block) => navigator.clipboard.writeText(block), text);
  await page.keyboard.press("Control+v");
}

test("by the keyboard alone numbers are typed, pasted, undone and saved, and the shop shows them at once", async () => {
  const { page, complaints, context } = await signedIn(1440);
  const key = (name: string) => page.keyboard.press(name);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const [first, second] = await asked("select id from products order by position, id limit 2");
  const [a, b] = [String(first?.id), String(second?.id)];
  await asked(`update product_sizes set supplied = sold + 5 where product_id in ('${a}', '${b}')`);
  await page.goto(`${office}/products/stock`);
  await page.locator('[data-cell="0 0"]').focus();
  await page.keyboard.type("20");
  await key("Enter");
  await page.keyboard.type("21");
  await key("Tab");
  await page.getByText("2 sizes changed").waitFor();
  await key("ArrowUp");
  await pasteBlock(page, "7\t8\r\n9\tmany\r\n");
  await page.getByText("3 cells pasted. Left out, as it is no number of pieces: many.").waitFor();
  await key("Shift+ArrowRight");
  await page.getByText("2 cells, 15 pieces").waitFor();
  await isInOrder(page);
  await key("Control+z");
  await page.getByText("2 sizes changed").waitFor();
  await key("Control+y");
  await page.getByText("5 sizes changed").waitFor();
  await key("Control+s");
  await page.getByText("5 sizes are saved.").waitFor();
  expect(await stockOf(a)).toBe("20 7 8 5 5");
  expect(await stockOf(b)).toBe("21 9 5 5 5");
  const shown = (await (await fetch(`${shop.url}/api/products/${a}`)).json()) as { sizes: Record<string, number> };
  expect(shown.sizes).toMatchObject({ S: 20, M: 7, L: 8 });
  await key("Escape");
  await key("Shift+ArrowDown");
  await key("Control+c");
  await page.getByText("2 cells copied.").waitFor();
  await key("Home");
  await key("Control+v");
  await page.getByText("2 cells pasted.").waitFor();
  await key("Control+z");
  await page.keyboard.type("0");
  await key("Escape");
  await page.getByText("Nothing changed").waitFor();
  await page.keyboard.type("30");
  await key("Control+s"); // from within the cell, which takes what was typed
  await page.getByText("1 size is saved.").waitFor();
  await page.getByRole("link", { name: "History" }).first().focus();
  await key("Enter");
  await page.getByRole("heading", { level: 1, name: /^Stock of / }).waitFor();
  await page.getByText("Set: Delivery").first().waitFor();
  await isInOrder(page);
  expect(complaints).toEqual([]);
  await context.close();
});

describe.each([1440, 360])("at %i px", (width) => {
  test("of two who change one size the later one sees both, and loses nothing", async () => {
    const [bisi, tunde] = [await signedIn(width), await signedIn(width)];
    const [product] = await asked("select id, title from products order by position, id limit 1 offset 2");
    const [id, title] = [String(product?.id), String(product?.title)];
    await asked(`update product_sizes set supplied = sold + 5 where product_id = '${id}'`);
    for (const { page } of [bisi, tunde]) await page.goto(`${office}/products/stock?q=${id}`);
    const set = async (page: Page, number: string) => {
      if (width > 1000) {
        await page.locator('[data-cell="0 1"]').focus();
        await page.keyboard.type(number);
        await page.keyboard.press("Enter");
      } else {
        await page.getByRole("button", { name: `Stock of ${title}` }).click();
        await page.getByRole("textbox", { name: "M", exact: true }).fill(number);
        await page.getByRole("textbox", { name: "M", exact: true }).blur();
        await isInOrder(page);
        await press(page, "Done");
      }
      await page.getByText("1 size changed").waitFor();
    };
    await set(bisi.page, "15");
    await bisi.page.reload();
    await bisi.page.getByText("1 size changed").waitFor();
    await set(tunde.page, "25");
    await press(tunde.page, "Save");
    await tunde.page.getByText("1 size is saved.").waitFor();
    await press(bisi.page, "Save");
    await bisi.page.getByText("What you typed is still here.").waitFor();
    await isInOrder(bisi.page);
    await press(bisi.page, "Both: 35");
    await press(bisi.page, "Save");
    await bisi.page.getByText("1 size is saved.").waitFor();
    expect(await stockOf(id)).toBe("5 35 5 5 5");
    await isInOrder(bisi.page);
    for (const { complaints, context } of [bisi, tunde]) {
      expect(complaints.filter((line) => !/status of 422/.test(line))).toEqual([]);
      await context.close();
    }
  });

  test("a table with mistakes is looked at, and imported without them", async () => {
    const { page, complaints, context } = await signedIn(width);
    const [product] = await asked("select id, color from products order by position, id limit 1 offset 3");
    await page.goto(`${office}/products/import`);
    await isInOrder(page);
    const csv = [
      "id,title,color,price,kinds,M,shelf",
      `${product?.id},,Rust,,,,A1`,
      `new-${width},Harbour Tee,Blue,24.99,tees,6,`,
      "new one,Spaces,Blue,24.99,tees,6,",
      "dear,Dear,Blue,a lot,hats,many,",
    ].join("\r\n");
    await page.getByLabel("File").setInputFiles({ name: "spring.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await press(page, "Show what would change");
    await page.getByText("Line 4").waitFor();
    await page.getByText("(D5)").waitFor();
    await page.getByText("Nothing is read from the column shelf").waitFor();
    await isInOrder(page);
    await page.getByRole("link", { name: "Changed 1" }).click();
    await page.getByText('"Rust"').waitFor();
    await isInOrder(page);
    await press(page, "Import 2 products");
    await page.getByText("1 new, 1 changed.").waitFor();
    await isInOrder(page);
    expect(await asked(`select color from products where id = '${product?.id}'`)).toEqual([{ color: "Rust" }]);
    await asked(`update products set color = '${product?.color}' where id = '${product?.id}'`);
    expect(await asked("select id from products where id in ('dear', 'new one')")).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
