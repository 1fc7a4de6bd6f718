import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { keyboard } from "#tests/support/hands.ts";
import { asked, button, shop, staff, useOffice, WAYS } from "#tests/support/office-in-browser.ts";
import { faultsIn } from "#tests/support/shop-books.ts";

useOffice();

/** The stock of a product's sizes, such as "14 22 18 9 2". */
async function stockOf(id: string): Promise<string> {
  const rows = await asked(
    `select on_hand from product_sizes where product_id = '${id}' order by array_position(array['S','M','L','XL','XXL'], size)`,
  );
  return rows.map((row) => row.on_hand).join(" ");
}

/** Pastes a block that was copied from a sheet. */
async function pasteBlock(page: Page, text: string): Promise<void> {
  await page.evaluate((block) => navigator.clipboard.writeText(block), text);
  await page.keyboard.press("Control+v");
}

test("by the keyboard alone numbers are typed, pasted, undone and saved, and the shop shows them at once", async () => {
  const [first, second] = await asked("select id from products order by position, id limit 2");
  const [a, b] = [String(first?.id), String(second?.id)];
  await asked(`update product_sizes set supplied = sold + 5 where product_id in ('${a}', '${b}')`);
  const { page, isInOrder, leaves } = await staff(WAYS[0], "/products/stock");
  const { reach, press } = keyboard(page);
  const key = (name: string) => page.keyboard.press(name);
  await reach(page.locator('[data-cell="0 0"]'));
  await page.keyboard.type("20");
  await key("Enter");
  await page.keyboard.type("21");
  await key("Tab");
  await page.getByText("2 sizes changed").waitFor();
  await key("ArrowUp");
  await pasteBlock(page, "7\t8\r\n9\tmany\r\n");
  await page.getByText("3 cells pasted. Left out, as it isn’t a number of pieces: many.").waitFor();
  await key("Shift+ArrowRight");
  await page.getByText("2 cells, 15 pieces").waitFor();
  await isInOrder();
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
  await key("Control+s"); // saves from within the cell, with the text typed there
  await page.getByText("1 size is saved.").waitFor();
  await key("Escape"); // ends the selection
  await key("Escape"); // and leaves the cells
  await press(page.getByRole("link", { name: "History" }).first());
  await page.getByRole("heading", { level: 1, name: /^Stock of / }).waitFor();
  await page.getByText("Set: Delivery").first().waitFor();
  await isInOrder();
  await leaves();
});

test("a number that is being typed stays with its product when another leaves the list above it", async () => {
  const [first, second] = await asked("select id from products order by position, id limit 2 offset 4");
  const [above, product] = [String(first?.id), String(second?.id)];
  const put = (id: string, pieces: number) =>
    asked(`update product_sizes set supplied = sold + ${pieces} where product_id = '${id}'`);
  await put(above, 0);
  await put(product, 0);
  const { page, leaves } = await staff(WAYS[0], "/products/stock?view=out");
  const row = (id: string) => page.locator(`tr:has(a[href*="${id}"])`);
  await row(product).locator("[data-cell]").nth(1).click();
  await page.keyboard.type("1");
  await put(above, 9);
  await row(above).waitFor({ state: "detached", timeout: 30_000 });
  await page.keyboard.type("2");
  await page.keyboard.press("Control+s");
  await page.getByText("1 size is saved.").waitFor();
  expect(await stockOf(product)).toBe("0 12 0 0 0");
  await leaves();
});

describe.each(WAYS.slice(0, 2))("by $by, at $width px", (way) => {
  test("of two who change one size the later one sees both, and loses nothing", async () => {
    const [product] = await asked("select id, title from products order by position, id limit 1 offset 2");
    const [id, title] = [String(product?.id), String(product?.title)];
    await asked(`update product_sizes set supplied = sold + 5 where product_id = '${id}'`);
    const path = `/products/stock?q=${id}`;
    const [bisi, tunde] = [await staff(way, path), await staff(way, path, "catalogue")];
    const set = async ({ page, hand, isInOrder }: typeof bisi, number: string) => {
      if (way.width > 1000) {
        await page.locator('[data-cell="0 1"]').focus();
        await page.keyboard.type(number);
        await page.keyboard.press("Enter");
      } else {
        await hand.press(page.getByRole("button", { name: `Stock of ${title}` }));
        await hand.type(page.getByRole("textbox", { name: "M", exact: true }), number);
        await page.getByRole("textbox", { name: "M", exact: true }).blur();
        await isInOrder();
        await hand.press(button(page, "Done"));
      }
      await page.getByText("1 size changed").waitFor();
    };
    await set(bisi, "+10");
    await bisi.page.reload();
    await bisi.page.getByText("1 size changed").waitFor();
    await set(tunde, "25");
    await tunde.hand.press(button(tunde.page, "Save"));
    await tunde.page.getByText("1 size is saved.").waitFor();
    await bisi.hand.press(button(bisi.page, "Save"));
    await bisi.page.getByText("What you typed is still here.").waitFor();
    await bisi.isInOrder();
    await bisi.hand.press(button(bisi.page, "Both: 35"));
    await bisi.hand.press(button(bisi.page, "Save"));
    await bisi.page.getByText("1 size is saved.").waitFor();
    expect(await stockOf(id)).toBe("5 35 5 5 5");
    await bisi.isInOrder();
    await Promise.all([bisi.leaves(), tunde.leaves()]);
  });
});

/** A table of ten rows with one mistake each, and of two without mistakes. The comments count the lines. */
const planted = (known: string, by: string) =>
  [
    "id,title,color,price,kinds,finalSale,hidden,images,M,shelf",
    `${known},,Rust,,,,,,,A1`, // 2
    "bad id,Bad,,30,,,,,,", // 3
    ",Nameless,,30,,,,,,", // 4
    "no-title,,,30,,,,,,", // 5
    "no-price,Priceless,,,,,,,,", // 6
    '"wrong-price","Two\nlines",,a lot,,,,,,', // 7, of two lines
    "wrong-kind,Kind,,30,hats,,,,,", // 8
    "wrong-mark,Mark,,30,,maybe,,,,", // 9
    "wrong-state,State,,30,,,perhaps,,,", // 10
    "wrong-stock,Stock,,30,,,,,many,", // 11
    "no-picture,Picture,,30,,,,tee.jpg,,", // 12
    `by-${by},Harbour Tee,Blue,24.99,tees,,,,6,`, // 13
  ].join("\r\n");
const MISTAKES = [
  ["Row 3, id (A3)", "an id has letters, digits, - and _"],
  ["Row 4, id (A4)", "an id has letters, digits, - and _"],
  ["Row 5, title (B5)", "its title is missing"],
  ["Row 6, price (D6)", "its price is missing"],
  ["Row 7, price (D7)", "'a lot' isn’t a price in dollars, like 49.99"],
  ["Row 8, kinds (E8)", "kinds are "],
  ["Row 9, finalSale (F9)", "in a table yes or no"],
  ["Row 10, hidden (G10)", "in a table yes or no"],
  ["Row 11, M (I11)", "isn’t a whole number of pieces"],
  ["Row 12, images (H12)", "tee.jpg: is no address that begins with https://"],
];

test.each(WAYS)(
  "a table with ten planted mistakes is looked at, and imported without them: $by, $width px",
  async (way) => {
    const { page, hand, email, isInOrder, leaves } = await staff(way, "/products/import", "catalogue");
    const [product] = await asked("select id, color from products order by position, id limit 1 offset 3");
    await isInOrder();
    const buffer = Buffer.from(planted(String(product?.id), way.by));
    await hand.upload(page.getByLabel("File"), { name: "spring.csv", mimeType: "text/csv", buffer });
    await hand.press(button(page, "Show what would change"));
    await page.getByText("10 rows with mistakes").waitFor();
    const rows = page.getByRole("main").getByRole("listitem");
    for (const [where = "", why = ""] of MISTAKES)
      await rows.filter({ hasText: where }).filter({ hasText: why }).waitFor();
    expect(await rows.count()).toBe(MISTAKES.length);
    await page.getByText("Nothing is read from the column shelf").waitFor();
    await isInOrder();
    await hand.press(page.getByRole("link", { name: "Changed 1" }));
    await page.getByText('"Rust"').waitFor();
    await isInOrder();
    expect(await asked(`select 1 from audit_log where actor = '${email}'`)).toEqual([]); // nothing is written yet
    await hand.press(button(page, "Import 2 products"));
    await page.getByText("1 new, 1 changed.").waitFor();
    await isInOrder();
    await leaves();

    expect(await asked(`select color from products where id = '${product?.id}'`)).toEqual([{ color: "Rust" }]);
    await asked(`update products set color = '${product?.color}' where id = '${product?.id}'`);
    expect(await asked(`select subject_id from audit_log where actor = '${email}' order by subject_id`)).toEqual(
      [`by-${way.by}`, String(product?.id)].sort().map((subject_id) => ({ subject_id })),
    );
    expect(await asked("select id from products where id like 'wrong%' or id like 'no-%' or id like 'bad%'")).toEqual(
      [],
    );
    expect(await faultsIn(shop)).toEqual([]);
  },
);
