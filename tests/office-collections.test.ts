vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { whitePicture } from "#tests/support/picture.ts";
import { makeProduct } from "#tests/support/shop.ts";
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
  await db().deleteFrom("collections").execute();
  const last = db().selectFrom("auditLog").select(sql<string>`coalesce(max(id), 0)`.as("id"));
  since = (await last.executeTakeFirstOrThrow()).id;
});

const add = (form: Record<string, string>) =>
  ask("/collections/new", cookies, { intent: "add", name: "", words: "", address: "", ...form });
const press = (id: string, intent: string, form: Record<string, string> = {}) =>
  ask(`/collections/${id}`, cookies, { intent, ...form });
const save = (id: string, form: Record<string, string> = {}) =>
  press(id, "save", { name: "Owambe", words: "", place: "1", version: "1", ...form });
const textIn = ({ fields }: OfficePage, name: string) => fields.find((field) => field.name === name)?.value;
/** The products of the page, in their order. */
const productsOn = ({ fields }: OfficePage) => [
  ...new Set(fields.flatMap(({ name, value = "" }) => (name === "product" ? [value] : []))),
];
const auditOf = (id: string) =>
  db()
    .selectFrom("auditLog")
    .select(["action", "before", "after"])
    .where("subjectKind", "=", "collection")
    .where("subjectId", "=", id)
    .where("id", ">", since)
    .orderBy("id")
    .execute();

test("a collection is added hidden, with an address made of its name", async () => {
  expect((await ask("/collections", cookies)).text).toContain("No collections.");
  const added = await add({ name: "Ọ̀wàǹbẹ̀ 2026!", words: "For every party." });
  expect([added.status, added.location]).toEqual([302, "/collections/owanbe-2026"]);
  const list = await ask("/collections", cookies);
  expect(list.text).toMatch(/Ọ̀wàǹbẹ̀ 2026! .*\/collections\/owanbe-2026 .*Hidden/);
  expect(list.raw, "the menu's mark").toMatch(/<a (?=[^>]*href="\/products")[^>]*aria-current="page"/);
  expect(await auditOf("owanbe-2026")).toEqual([
    { action: "collections add", before: null, after: { name: "Ọ̀wàǹbẹ̀ 2026!", words: "For every party." } },
  ]);
});

test("the form of a new collection, sent twice, adds one", async () => {
  for (const _ of [1, 2]) expect((await add({ name: "Owambe" })).location).toBe("/collections/owambe");
  expect(await db().selectFrom("collections").select("id").execute()).toHaveLength(1);
});

test.each([
  [{ name: "" }, "Give it a name"],
  [{ name: "x".repeat(61) }, "At most 60 letters"],
  [{ name: "Two\nlines" }, "Only letters and numbers, in one line"],
  [{ name: "Owambe", words: "y".repeat(301) }, "At most 300 letters"],
  [{ name: "衣装" }, "Use letters from a to z, or digits"],
  [{ name: "Another", address: "Taken" }, "The collection “Taken” has this address"],
])("%j is refused beside its field, and nothing typed is lost", async (form, problem) => {
  await add({ name: "Taken" });
  const refused = await add({ words: "For every party.", ...form });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(problem);
  expect(textIn(refused, "name") ?? "").toBe(form.name);
  expect(textIn(refused, "address") ?? "").toBe("address" in form ? form.address : "");
  expect(refused.raw).toContain("words" in form ? form.words : "For every party.");
  expect(await db().selectFrom("collections").select("id").execute()).toHaveLength(1);
});

test("products are found, added, moved and taken out by plain forms", async () => {
  await add({ name: "Owambe" });
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => makeProduct(db(), { M: 1 })));
  const page = await ask(`/collections/owambe?q=${one}`, cookies);
  expect(page.fields).toContainEqual(expect.objectContaining({ name: "products[]", value: one }));
  for (const id of [one, two, three]) await press("owambe", "add", { "products[]": id ?? "" });
  expect(productsOn(await press("owambe", "add", { "products[]": one ?? "" }))).toEqual([one, two, three]);
  expect(productsOn(await press("owambe", "move", { product: three ?? "", before: one ?? "" }))).toEqual([
    ...[three, one, two],
  ]);
  expect(productsOn(await press("owambe", "move", { product: three ?? "", before: "" }))).toEqual([one, two, three]);
  const taken = await press("owambe", "remove", { product: two ?? "" });
  expect(taken.text).toContain("Taken out. It stays in the shop.");
  expect(productsOn(taken)).toEqual([one, three]);
  const [, ...acts] = await auditOf("owambe");
  expect(acts.map(({ after }) => after)).toEqual([
    ...[one, two, three].map((id) => ({ added: [id] })),
    { moved: three, place: 1 },
    { moved: three, place: 3 },
    { removed: two },
  ]);
});

test("a product that isn’t there is refused, and moves without effect change nothing", async () => {
  await add({ name: "Owambe" });
  const one = await makeProduct(db(), { M: 1 });
  await press("owambe", "add", { "products[]": one });
  const refused = await press("owambe", "add", { "products[]": "no-such-product" });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("no product 'no-such-product'")]);
  for (const before of ["", "no-such-product", one]) await press("owambe", "move", { product: one, before });
  await press("owambe", "remove", { product: "no-such-product" });
  expect(await auditOf("owambe")).toHaveLength(2);
});

test("a collection is shown, renamed and put in its place, with one row in the audit log that names what changed", async () => {
  for (const name of ["Owambe", "New Yam", "Detty December"]) await add({ name });
  const saved = await save("detty-december", { name: "Detty December", shown: "on", place: "1" });
  expect(saved.text).toContain("Saved. The shop shows it now.");
  expect(saved.links).toContain("http://localhost:3000/collections/detty-december");
  const list = await ask("/collections", cookies);
  expect(list.links.filter((link) => /^\/collections\/(?!new$)/.test(link)).map((link) => link.slice(13))).toEqual(
    ["detty-december", "owambe", "new-yam"].flatMap((id) => [id, id]),
  );
  expect((await auditOf("detty-december")).at(-1)).toEqual({
    action: "collections change",
    before: { hidden: true, place: 3 },
    after: { hidden: false, place: 1 },
  });
});

test("a picture is saved with what it shows, kept by a form without script, and removed", async () => {
  await add({ name: "Owambe" });
  const picture = await whitePicture();
  const file = JSON.stringify({ hash: picture.hash, focus: "30% 70%" });
  const alt = "Jerseys on a rail";
  expect((await save("owambe", { picture: file })).text).toContain("Describe the picture");
  expect((await save("owambe", { picture: file.replace(/[0-9a-f]{20}/, "0".repeat(20)), alt })).text).toContain(
    "This picture is missing. Add it again",
  );
  expect((await save("owambe", { picture: "{", alt })).status).toBe(422);
  expect((await save("owambe", { picture: file, alt })).text).toContain("Saved.");
  const page = await ask("/collections/owambe", cookies);
  expect([textIn(page, "picture"), textIn(page, "alt")]).toEqual([file, alt]);
  await save("owambe", { name: "Party", picture: textIn(page, "picture") ?? "", alt, version: "2" });
  expect(await db().selectFrom("collections").select(["name", "picture"]).executeTakeFirst()).toEqual({
    name: "Party",
    picture: { ...picture, alt, focus: "30% 70%" },
  });
  await save("owambe", { name: "Party", version: "3" });
  expect(await db().selectFrom("collections").select("picture").executeTakeFirst()).toEqual({ picture: null });
  expect((await auditOf("owambe")).slice(1)).toEqual([
    { action: "collections change", before: {}, after: { picture: `${picture.hash}, ${alt}, 30% 70%` } },
    { action: "collections change", before: { name: "Owambe" }, after: { name: "Party" } },
    { action: "collections change", before: { picture: `${picture.hash}, ${alt}, 30% 70%` }, after: {} },
  ]);
});

test("a rule is typed, kept, told in words and taken away", async () => {
  await add({ name: "Owambe" });
  const rule = { kind: "tees", from: "20", to: "49.99", onSale: "on", newDays: "30", "colors[]": "red" };
  const saved = await save("owambe", rule);
  const words = "tees, red, from $20.00, up to $49.99, on sale, new within 30 days";
  expect(saved.text).toContain(`By the rule: ${words}. The shop shows 0 products in all.`);
  expect([textIn(saved, "from"), textIn(saved, "to"), textIn(saved, "newDays")]).toEqual(["20.00", "49.99", "30"]);
  expect((await auditOf("owambe")).at(-1)).toEqual({
    action: "collections change",
    before: { rule: "" },
    after: { rule: words },
  });
  expect((await save("owambe", { version: "2" })).text).not.toContain("By the rule");
});

test.each([
  [{ from: "cheap" }, "A price in dollars, like 41.99"],
  [{ from: "50", to: "20" }, "More than the lowest price"],
  [{ from: "999999999" }, "A price in dollars, like 41.99"],
  [{ newDays: "0" }, "A whole number from 1 to 365"],
])("the rule %j is refused beside its field, which keeps it", async (typed, problem) => {
  await add({ name: "Owambe" });
  const refused = await save("owambe", { ...typed, name: "Party season" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(problem);
  for (const [name, value] of Object.entries(typed)) expect(textIn(refused, name)).toBe(value);
  expect(textIn(refused, "name")).toBe("Party season");
});

test("of two members who change one collection the later one sees the other's change, and may save again", async () => {
  await add({ name: "Owambe" });
  await save("owambe", { name: "Owambe 2026" });
  const refused = await save("owambe", { name: "Party season", words: "For every party.", shown: "on" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Somebody else has changed this collection.");
  expect(refused.text).toContain("“Owambe 2026”");
  expect(textIn(refused, "name")).toBe("Party season");
  expect(refused.raw).toContain("For every party.");
  expect(refused.fields.find(({ name }) => name === "shown")).toHaveProperty("checked");
  const version = textIn(refused, "version") ?? "";
  expect((await save("owambe", { name: "Party season", version })).text).toContain("Saved.");
});

test("sent again, a save that has been made is no conflict", async () => {
  await add({ name: "Owambe" });
  for (const _ of [1, 2]) expect((await save("owambe", { name: "Party season" })).status).toBe(200);
  expect(await auditOf("owambe")).toHaveLength(2);
});

test("a deleted collection is gone, its products stay, and the audit log keeps what it had", async () => {
  await add({ name: "Owambe", words: "For every party." });
  const product = await makeProduct(db(), { M: 1 });
  await press("owambe", "add", { "products[]": product });
  const deleted = await press("owambe", "delete");
  expect([deleted.status, deleted.location]).toEqual([302, "/collections"]);
  expect((await ask("/collections/owambe", cookies)).status).toBe(404);
  expect(await db().selectFrom("products").select("id").where("id", "=", product).execute()).toHaveLength(1);
  expect((await auditOf("owambe")).at(-1)).toEqual({
    action: "collections remove",
    before: { name: "Owambe", words: "For every party.", products: [product] },
    after: null,
  });
  expect((await press("owambe", "remove", { product })).status).toBe(422);
});

test("dates are typed in the shop's zone, kept, listed and taken away", async () => {
  await add({ name: "Owambe" });
  const dates = { startsAt: "2126-12-01T09:00", endsAt: "2126-12-31T23:59" };
  const saved = await save("owambe", { ...dates, shown: "on" });
  expect(saved.text).toContain("Saved.");
  expect(saved.text).not.toContain("The shop shows it now");
  expect([textIn(saved, "startsAt"), textIn(saved, "endsAt")]).toEqual([dates.startsAt, dates.endsAt]);
  expect(saved.links).not.toContain("http://localhost:3000/collections/owambe");
  expect((await ask("/collections", cookies)).text).toContain("From 1 Dec, 09:00");
  const over = await save("owambe", { startsAt: "", endsAt: "2026-01-31T23:59", shown: "on", version: "2" });
  expect(over.text).toContain("Over");
  await save("owambe", { shown: "on", version: "3" });
  expect((await ask("/collections", cookies)).text).toContain("Empty");
  expect((await auditOf("owambe")).slice(1).map(({ after }) => Object.keys(after ?? {}).sort())).toEqual([
    ["endsAt", "hidden", "startsAt"],
    ["endsAt"],
    [],
  ]);
});

test.each([
  [{ startsAt: "soon" }, "A day and a time, or nothing: then it’s shown at once"],
  [{ startsAt: "2126-12-01T09:00", endsAt: "2126-12-01T08:00" }, "It would be over before it begins"],
])("the dates %j are refused beside their field", async (dates, problem) => {
  await add({ name: "Owambe" });
  const refused = await save("owambe", dates);
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(problem)]);
});

test("an offer is about a collection: its sentence follows the name, and it keeps the collection from being deleted", async () => {
  await add({ name: "Owambe" });
  const offer = { intent: "save", name: "Party", gift: "percent", percent: "20", "collections[]": "owambe" };
  expect((await ask("/offers/new", cookies)).fields).toContainEqual(
    expect.objectContaining({ name: "collections[]", value: "owambe" }),
  );
  const looked = await ask("/offers/new", cookies, offer);
  expect(looked.text).toContain("20% off everything in Owambe, not on sale prices.");
  const location = (await ask("/offers/new", cookies, { ...offer, agreed: "on" })).location ?? "";
  expect(location).toMatch(/^\/offers\/\d+$/);
  const edited = await ask(`${location}/edit`, cookies);
  expect(edited.fields.find(({ name }) => name === "collections[]")).toHaveProperty("checked");

  await save("owambe", { name: "Party season" });
  expect((await ask(location, cookies)).text).toContain("20% off everything in Party season");
  const refused = await press("owambe", "delete");
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining("The offer “Party” names it: change or end the offer first"),
  ]);
  await ask(location, cookies, { intent: "end" });
  expect((await press("owambe", "delete")).location).toBe("/collections");
  expect((await ask(location, cookies)).text).toContain("20% off everything in owambe");
});

test("an offer about a collection that isn’t there is refused beside the field", async () => {
  await add({ name: "Owambe" });
  const refused = await ask("/offers/new", cookies, {
    ...{ intent: "save", name: "Party", gift: "percent", percent: "20", "collections[]": "no-such" },
  });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("There’s no collection 'no-such'")]);
  expect(refused.fields.find(({ value }) => value === "no-such")).toHaveProperty("checked");
});

test("sale prices are set for all products of a collection", async () => {
  await add({ name: "Owambe" });
  const [one, two] = await Promise.all([1, 2].map(() => makeProduct(db(), { M: 1 })));
  for (const id of [one, two]) await press("owambe", "add", { "products[]": id ?? "" });
  const page = await ask("/collections/owambe", cookies);
  expect(page.links).toContain("/products/prices?collection=owambe");
  expect((await ask("/products/prices?collection=owambe", cookies)).raw).toContain(`>${one}\n${two}</textarea>`);
});

test("who may only look sees a collection without its forms", async () => {
  await add({ name: "Owambe", words: "For every party." });
  const reader = await staffWithPasskey(db(), "reader");
  const page = await ask("/collections/owambe", reader.cookies);
  expect(page.text).toContain("For every party.");
  expect(page.forms.filter(({ method }) => method === "post")).toEqual([]);
});
