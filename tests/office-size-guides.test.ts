vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { addCollection } from "#app/owner/collections/collections.server.ts";
import { addSizeGuide, storedSizeGuide } from "#app/owner/size-guides/size-guides.server.ts";
import { OWNER } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { sizeGuide } from "#tests/support/size-guides.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const ask = useOfficePages();
let cookies: string[];
/** The last row of the audit log before the test. */
let since: string;

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "catalogue"));
});
beforeEach(async () => {
  await db().deleteFrom("sizeGuides").execute();
  const last = db().selectFrom("auditLog").select(sql<string>`coalesce(max(id), 0)`.as("id"));
  since = (await last.executeTakeFirstOrThrow()).id;
});

const TEES = {
  name: "Tees",
  "measure.0": "Chest",
  "meaning.0": "Around the fullest part of your chest",
  "S.0": "92",
  "M.0": "96,5",
  "measure.1": "Sleeve",
  "S.1": "60",
  "M.1": "61",
};
const add = (form: Record<string, string> = TEES) => ask("/size-guides/new", cookies, { intent: "add", ...form });
const save = (form: Record<string, string>) =>
  ask("/size-guides/tees", cookies, { intent: "save", version: "1", ...TEES, ...form });
const textIn = ({ fields }: OfficePage, name: string) => fields.find((field) => field.name === name)?.value;
const isTicked = ({ fields }: OfficePage, value: string) =>
  "checked" in (fields.find((field) => field.value === value) ?? {});
const auditOf = (id: string) =>
  db()
    .selectFrom("auditLog")
    .select(["action", "before", "after"])
    .where("subjectKind", "=", "size-guide")
    .where("subjectId", "=", id)
    .where("id", ">", since)
    .orderBy("id")
    .execute();

test("a size guide is added, listed, and stands in its form as it was typed", async () => {
  expect((await ask("/size-guides", cookies)).text).toContain("No size guides.");
  const added = await add({ ...TEES, "kinds[]": "tees", falls: "Fits large." });
  expect([added.status, added.location]).toEqual([302, "/size-guides/tees"]);
  const list = await ask("/size-guides", cookies);
  expect(list.text).toMatch(/Tees .*Chest, Sleeve .*S, M .*In use/);
  expect(list.raw, "the menu's mark").toMatch(/<a (?=[^>]*href="\/products")[^>]*aria-current="page"/);
  const page = await ask("/size-guides/tees", cookies);
  for (const [name, value] of Object.entries({ ...TEES, "M.0": "96.5", falls: "Fits large." }))
    expect(textIn(page, name), name).toBe(value);
  expect(isTicked(page, "tees")).toBe(true);
  expect(isTicked(page, "jerseys")).toBe(false);
  expect(await auditOf("tees")).toEqual([
    {
      action: "size-guides add",
      before: null,
      after: {
        name: "Tees",
        falls: "Fits large.",
        kinds: ["tees"],
        collections: [],
        products: [],
        measures: ["Chest, Around the fullest part of your chest: S 92, M 96.5", "Sleeve: S 60, M 61"],
      },
    },
  ]);
});

test("the form of a new size guide, sent twice, adds one", async () => {
  for (const _ of [1, 2]) expect((await add()).location).toBe("/size-guides/tees");
  expect(await db().selectFrom("sizeGuides").select("id").execute()).toHaveLength(1);
});

test.each([
  ["Ọ̀wàǹbẹ̀ 2026!", "owanbe-2026"],
  ["New", "new-2"],
  ["衣装", "guide"],
])("a size guide called %s has the address %s", async (name, id) => {
  expect((await add({ ...TEES, name })).location).toBe(`/size-guides/${id}`);
});

test.each<[string, Record<string, string>, string, string]>([
  ["no name", { name: "" }, "name", "Give it a name"],
  ["a name that is too long", { name: "x".repeat(61) }, "name", "At most 60 letters"],
  ["a line that is too long", { falls: "x".repeat(121) }, "falls", "At most 120 letters"],
  ["a measure without a name", { "measure.1": "" }, "measure.1", "Give it a name"],
  ["a measure whose name is too long", { "measure.1": "x".repeat(31) }, "measure.1", "At most 30 letters"],
  ["a measure twice", { "measure.1": "chest" }, "measure.1", "Another measure has this name"],
  ["no number", { "S.1": "wide" }, "S.1", "Centimetres from 1 to 300, like 96 or 96.5"],
  ["two decimals", { "S.1": "60.25" }, "S.1", "Centimetres from 1 to 300, like 96 or 96.5"],
  ["too large a number", { "S.1": "301" }, "S.1", "Centimetres from 1 to 300, like 96 or 96.5"],
  ["a missing number", { "L.0": "100" }, "L.1", "Fill it in, or empty the whole size"],
  ["the one size beside others", { "ONE.0": "58", "ONE.1": "58" }, "ONE.0", "One size, or those from S to XXL"],
  ["no such product", { products: "rings tee" }, "products", "“rings tee” is no product’s id, like rings-tee"],
  ["a product that isn't there", { products: "none" }, "products", "There’s no product 'none'"],
])("%s is refused beside its field, and nothing typed is lost", async (_, form, field, problem) => {
  const typed = { ...TEES, "kinds[]": "tees", ...form };
  const refused = await add(typed);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(problem);
  if (field !== "products")
    expect(refused.fields.find(({ name }) => name === field)).toHaveProperty("aria-invalid", "true");
  for (const [name, value] of Object.entries(typed))
    if (name !== "products" && name !== "kinds[]") expect(textIn(refused, name) ?? "", name).toBe(value);
  expect(refused.raw).toContain(form.products ?? "");
  expect(isTicked(refused, "tees")).toBe(true);
  expect(await db().selectFrom("sizeGuides").select("id").execute()).toEqual([]);
});

test("a guide without any measure, or without any size, says what is missing", async () => {
  expect((await add({ name: "Tees" })).text).toContain("Type at least one measure");
  expect((await add({ name: "Tees", "measure.0": "Chest" })).text).toContain("Type the measure of at least one size");
});

test("what another guide has is refused beside its field", async () => {
  await addCollection(db(), OWNER, { id: "owambe", name: "Owambe", words: "" });
  const product = await makeProduct(db(), { M: 1 });
  const taken = { kinds: ["tees" as const], collections: ["owambe"], products: [product] };
  await addSizeGuide(db(), OWNER, sizeGuide({ name: "Taken", ...taken }));
  const { text } = await add({ ...TEES, "kinds[]": "tees", "collections[]": "owambe", products: product });
  expect(text).toContain("The kind Tees already has the size guide “Taken”");
  expect(text).toContain("The collection “Owambe” already has the size guide “Taken”");
  expect(text).toContain(`The product '${product}' already has the size guide “Taken”`);
  await db().deleteFrom("collections").where("id", "=", "owambe").execute();
});

test("products are typed as ids or addresses, and a change is told in the audit log by what has changed", async () => {
  await add();
  const product = await makeProduct(db(), { M: 1 });
  const products = `https://example.com/singleProduct/${product}`;
  const saved = await save({ products, "measure.1": "", "S.1": "", "M.1": "" });
  expect([saved.status, saved.text]).toEqual([200, expect.stringContaining("Saved. The shop shows it now.")]);
  expect(await storedSizeGuide(db(), "tees")).toMatchObject({
    products: [product],
    measures: [{ name: "Chest" }],
    sizes: [
      { size: "S", cm: [92] },
      { size: "M", cm: [96.5] },
    ],
    version: 2,
  });
  const chest = "Chest, Around the fullest part of your chest: S 92, M 96.5";
  expect((await auditOf("tees")).at(-1)).toEqual({
    action: "size-guides change",
    before: { products: [], measures: [chest, "Sleeve: S 60, M 61"] },
    after: { products: [product], measures: [chest] },
  });
});

test("of two members who change one size guide the later one sees the other's change, and may save again", async () => {
  await add();
  await save({ falls: "Fits large." });
  const refused = await save({ "S.0": "90", falls: "Fits small." });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Somebody else has changed this size guide.");
  expect(refused.text).toContain("Fits large.");
  expect([textIn(refused, "S.0"), textIn(refused, "falls")]).toEqual(["90", "Fits small."]);
  const version = textIn(refused, "version") ?? "";
  expect((await save({ "S.0": "90", falls: "Fits small.", version })).text).toContain("Saved.");
  expect((await storedSizeGuide(db(), "tees"))?.falls).toBe("Fits small.");
});

test("sent again, a save that has been made is no conflict", async () => {
  await add();
  for (const _ of [1, 2]) expect((await save({ falls: "Fits large." })).status).toBe(200);
  expect(await auditOf("tees")).toHaveLength(2);
});

test("a deleted size guide is gone, and the audit log keeps what it had", async () => {
  await add();
  const deleted = await ask("/size-guides/tees", cookies, { intent: "delete" });
  expect([deleted.status, deleted.location]).toEqual([302, "/size-guides"]);
  expect((await ask("/size-guides/tees", cookies)).status).toBe(404);
  expect((await auditOf("tees")).at(-1)).toMatchObject({
    action: "size-guides remove",
    before: { name: "Tees", measures: [expect.stringContaining("Chest"), "Sleeve: S 60, M 61"] },
    after: null,
  });
  expect((await save({})).status).toBe(422);
});

test("who may only look sees a size guide without its form", async () => {
  await add({ ...TEES, "kinds[]": "tees", falls: "Fits large." });
  const reader = await staffWithPasskey(db(), "reader");
  const page = await ask("/size-guides/tees", reader.cookies);
  expect(page.text).toContain("Sleeve: S 60, M 61");
  expect(page.text).toContain("Fits large.");
  expect(page.forms.filter(({ method }) => method === "post")).toEqual([]);
  expect((await ask("/size-guides/tees", reader.cookies, { intent: "save", version: "1", ...TEES })).status).toBe(403);
});

test("the screen of the products leads to the size guides", async () => {
  expect((await ask("/products", cookies)).links).toContain("/size-guides");
});
