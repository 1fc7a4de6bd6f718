vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { fileText } from "#app/infra/document/file-text.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { previews, writes } from "../office/import/works.server.ts";

const database = useDatabase();
const db = () => database.db();
const ask = useOfficePages();

function rowsOf(name: string): string {
  const read = fileText(readFileSync(`tests/fixtures/product-files/${name}`));
  return "text" in read ? read.text : read.problem;
}
const idIn = (location: string | null) => location?.split("/").at(-1) ?? "";
const read = (staff: string, location: string | null) =>
  expect.poll(() => previews.find(staff, idIn(location))?.isDone).toBe(true);

test("another shop's file is recognised, asked for its currency, shown with what stays out, and imported", async () => {
  const { id, cookies } = await staffWithPasskey(db(), "catalogue");
  const first = await ask("/products/import", cookies, { rows: rowsOf("shopify-windows.csv") });
  await read(id, first.location);
  const asked = await ask(first.location ?? "", cookies);
  expect(asked.text).toContain("This is a Shopify file");
  expect(asked.forms.map(({ action }) => action)).toContain("/products/import");

  const again = idIn(first.location);
  const refused = await ask("/products/import", cookies, { again, currency: "NGN", rate: "none" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Give the naira for one dollar");
  expect(refused.solid).toHaveLength(1);
  expect(refused.fields).toContainEqual(expect.objectContaining({ name: "again", value: again }));
  expect(refused.fields).toContainEqual(expect.objectContaining({ name: "rate", value: "none" }));

  const { location } = await ask("/products/import", cookies, { again, currency: "USD", rate: "" });
  await read(id, location);
  const shown = await ask(location ?? "", cookies);
  expect(shown.text).toContain("This is a Shopify file: 2 products in 3 sizes, 1 left out.");
  expect(shown.text).toMatch(/Row 4.*Option1 Value.*\(H4\).*robe-ete.*the size 42 isn’t sold here/);
  const { location: written } = await ask(location ?? "", cookies, { intent: "import" });
  await expect.poll(() => writes.find(id, idIn(written))?.result).toMatchObject({ ok: true, created: 2 });
  expect(await db().selectFrom("products").select(["id", "priceCents"]).orderBy("position").execute()).toEqual([
    { id: "robe-ete", priceCents: 4999 },
    { id: "casquette", priceCents: 1550 },
  ]);
});

test("the products are downloaded in another shop's columns", async () => {
  const { cookies } = await staffWithPasskey(db(), "catalogue");
  const { links } = await ask("/products/import", cookies);
  const exports = links.filter((link) => link.includes("?for="));
  expect(exports).toHaveLength(2);
  const heads = await Promise.all(exports.map(async (link) => (await ask(link, cookies)).raw.slice(0, 20)));
  expect(heads).toEqual([
    expect.stringMatching(/^\uFEFF?Handle,Title,/),
    expect.stringMatching(/^\uFEFF?Type,SKU,Name/),
  ]);
  expect((await ask("/products/export.csv?for=etsy", cookies)).status).toBe(404);
});
