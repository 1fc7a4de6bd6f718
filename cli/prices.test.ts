import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { getProduct } from "#app/catalog/catalog.server.ts";
import { addCollection, addProducts } from "#app/owner/collections/collections.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { makeProduct } from "#tests/support/shop.ts";

const { db } = useCheckout();
const say = (line: string, answer?: boolean) => command(db(), line.split(" "), answer);
const price = async (id: string) => (await getProduct(db(), id))?.priceCents;

async function shownForLong(): Promise<string> {
  const id = await makeProduct(db(), { M: 3 }, 5000);
  await sql`update price_history set at = at - interval '60 days' where product_id = ${id}`.execute(db());
  return id;
}

test("a sale price is set, listed and ended", async () => {
  const id = await shownForLong();
  const text = expect.stringContaining(`${id}  $50.00 -> $40.00  (struck: $50.00)`);
  expect(await say(`prices sale ${id} --percent 20 --dry-run`)).toMatchObject({ code: 0, text });
  expect(await price(id)).toBe(5000);
  const made = await say(`prices sale ${id} --percent 20 --until 2099-12-31T23:59`);
  expect(made).toMatchObject({ code: 0, text });
  expect(await price(id)).toBe(4000);
  const { id: plan } = made.data as { id: string };
  const line = `${plan}  1 product  20% off  since`;
  expect(await say("prices list")).toMatchObject({ text: expect.stringContaining(line) });
  expect(await say(`prices end ${plan}`)).toMatchObject({ code: 0, text: "Ended for 1 product" });
  expect(await say(`prices end ${plan}`)).toMatchObject({ code: 0, text: "Nothing of it runs or waits" });
  expect(await price(id)).toBe(5000);
});

test("a sale price without an old price needs a confirmation", async () => {
  const id = await makeProduct(db(), { M: 3 }, 5000);
  await sql`update price_history set price_cents = 3000, at = at - interval '9 days' where product_id = ${id}`.execute(
    db(),
  );
  await sql`insert into price_history values (${id}, now() - interval '8 days', 5000)`.execute(db());
  expect(await say(`prices sale ${id} --price 40`, false)).toMatchObject({ code: 2 });
  expect(await price(id)).toBe(5000);
  const text = expect.stringContaining("no old price, since it cost no more in the 30 days before; from ");
  expect(await say(`prices sale ${id} --price 40`, true)).toMatchObject({ code: 0, text });
  expect(await price(id)).toBe(4000);
});

test("a file has one product a line", async () => {
  const [one, other] = [await shownForLong(), await shownForLong()];
  const file = path.join(mkdtempSync(path.join(tmpdir(), "irepo-prices-")), "sale.txt");
  writeFileSync(file, `${one} 45\n${other}\n`);
  expect(await say(`prices sale --file ${file} --price 39.99`)).toMatchObject({ code: 0 });
  expect([await price(one), await price(other)]).toEqual([4500, 3999]);
});

test("--collection means the products that are in the collection at the moment", async () => {
  const [one, later] = [await shownForLong(), await shownForLong()];
  await addCollection(db(), OWNER, { id: "owambe", name: "Owambe", words: "" });
  await addProducts(db(), OWNER, "owambe", [one]);
  expect(await say("prices sale --collection owambe --percent 20")).toMatchObject({ code: 0 });
  await addProducts(db(), OWNER, "owambe", [later]);
  expect([await price(one), await price(later)]).toEqual([4000, 5000]);
  expect(await say("prices change --collection owambe --by 10%", true)).toMatchObject({ code: 0 });
  expect([await price(one), await price(later)]).toEqual([4400, 5500]);
});

test.each([
  ["prices sale none --percent 20", "There’s no such product"],
  ["prices sale ID --percent 100", "A whole number from 1 to 99"],
  ["prices sale ID --price 50", "isn’t below the normal price"],
  ["prices sale ID", "Say how much"],
  ["prices sale ID --percent 5 --from tomorrow", "no time like"],
  ["prices sale ID --percent 5 --until 2020-01-01T00:00", "over before it begins"],
  ["prices sale --percent 5", "Name a product, a --kind, a --collection or a --file"],
  ["prices sale ID --collection owambe --percent 5", "Name a product, a --kind, a --collection or a --file"],
  ["prices sale --collection none --percent 5", "There’s no collection 'none'"],
  ["prices change --collection none --by 5%", "There’s no collection 'none'"],
  ["prices end summer", "no plan"],
])("%s is refused", async (line, text) => {
  const id = await shownForLong();
  expect(await say(line.replace("ID", id))).toMatchObject({ code: 2, text: expect.stringContaining(text) });
  expect(await price(id)).toBe(5000);
});

test("a normal price is set, and the history lists every price of the product", async () => {
  const id = await shownForLong();
  expect(await say(`prices set ${id} 59.99 --dry-run`)).toMatchObject({ text: `${id}  $50.00 -> $59.99` });
  expect(await price(id)).toBe(5000);
  expect(await say(`prices set ${id} 59.99`, true)).toMatchObject({ code: 0 });
  expect(await price(id)).toBe(5999);
  expect(await say(`prices set ${id} 59.99`)).toMatchObject({ code: 0, text: "Nothing to change" });
  const { data, text } = await say(`prices history ${id}`);
  expect(data).toMatchObject({ id, prices: [{ cents: 5999 }, { cents: 5000 }] });
  expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}\$59\.99\n.* {2}\$50\.00$/);
});

test.each([
  ["prices set ID cheap", "'cheap' is no price in dollars"],
  ["prices set ID 0", "'0' is no price in dollars"],
  ["prices set none 10", "No product is called none"],
  ["prices history none", "No product is called none"],
])("%s is refused", async (line, problem) => {
  const id = await makeProduct(db(), { M: 3 }, 5000);
  const refused = await say(line.replace("ID", id), true);
  expect(refused).toMatchObject({ code: 2, text: expect.stringContaining(problem) });
  expect(await price(id)).toBe(5000);
});
