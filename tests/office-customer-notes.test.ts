vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { randomUUID } from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import { forgetCustomer } from "#app/owner/customers/customers.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { OFFICE as BY } from "#tests/support/returns.ts";
import { makeShopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const ask = useOfficePages();
const TEXT = "Prefers calls after six";
let cookies: string[];

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "orders"));
});

async function aCustomer() {
  const { id } = await makeShopper(db());
  return { id, path: `/customers/${id}` };
}
const write = (path: string, text: string, id: string = randomUUID()) =>
  ask(path, cookies, { intent: "note", id, text });
const auditOf = (id: string) =>
  db().selectFrom("auditLog").select(["action", "after"]).where("subjectId", "=", id).orderBy("id").execute();
const notesOf = (id: string) => db().selectFrom("customerNotes").select("text").where("userId", "=", id).execute();

test("a note is written by a plain form, with who wrote it, and sent twice it is one", async () => {
  const { id, path } = await aCustomer();
  const key = (await ask(path, cookies)).fields.find(({ name }) => name === "id")?.value ?? "";
  for (const _ of [1, 2])
    expect((await write(path, TEXT, key)).text).toMatch(/Note .* · Ada Obi\s*Prefers calls after six/);
  expect(await notesOf(id)).toEqual([{ text: TEXT }]);
  expect(await auditOf(id)).toEqual([{ action: "customers note", after: { note: key } }]);
});

test("another text by the same form is refused, and so is an empty one", async () => {
  const { id, path } = await aCustomer();
  const key = randomUUID();
  await write(path, TEXT, key);
  const other = await write(path, "Another", key);
  expect(other.status).toBe(422);
  expect(other.text).toContain("This form has already added another note");
  const empty = await write(path, " ");
  expect(empty.status).toBe(422);
  expect(empty.text).toContain("Write something");
  expect(await notesOf(id)).toEqual([{ text: TEXT }]);
});

test("the newest note comes first, and none is another customer's", async () => {
  const [one, other] = [await aCustomer(), await aCustomer()];
  await write(one.path, "The first");
  await write(one.path, "The second");
  const { text } = await ask(one.path, cookies);
  expect(text).toMatch(/The second.*The first/);
  expect((await ask(other.path, cookies)).text).not.toContain("The first");
});

test("what a customer is given of their data has the notes, and a customer who is forgotten has none", async () => {
  const { id, path } = await aCustomer();
  await write(path, TEXT);
  await ask(path, cookies, { intent: "tag", tag: "VIP" });
  const given = JSON.parse((await ask(`${path}/export.json`, cookies)).raw);
  expect(given).toMatchObject({ notes: [{ text: TEXT }], tags: ["VIP"] });
  expect(await forgetCustomer(db(), BY, id)).toEqual({ ok: true });
  expect(await notesOf(id)).toEqual([]);
  expect(JSON.stringify(await auditOf(id))).not.toContain(TEXT);
});

test.each(["packer", "bookkeeper", "reader"])("a %s reads and writes none", async (role) => {
  const { id, path } = await aCustomer();
  const { cookies: theirs } = await staffWithPasskey(db(), role);
  expect((await ask(path, theirs)).status).toBe(403);
  expect((await ask(path, theirs, { intent: "note", id: randomUUID(), text: TEXT })).status).toBe(403);
  expect(await notesOf(id)).toEqual([]);
});
