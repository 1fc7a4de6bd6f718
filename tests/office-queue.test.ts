vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { listQueues } from "#app/owner/queues/queues.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const database = useDatabase();
const db = () => database.db();
const pageAt = useOfficePages();

let cookies: string[];
let id: string;
beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "catalogue"));
});
beforeEach(async () => {
  id = await makeProduct(db(), { M: 3 });
});

const post = (form: Record<string, string>) => pageAt(`/products/${id}`, cookies, form);
const audited = async () => {
  const rows = await db().selectFrom("auditLog").select("action").where("subjectId", "=", id).orderBy("id").execute();
  return rows.map(({ action }) => action);
};

test("a queue is switched on, changed and ended on the product's page, without script, and stands in its history", async () => {
  expect((await pageAt(`/products/${id}`, cookies)).text).toContain("Everybody can buy it at once.");
  const on = await post({ intent: "queue-on", from: "2126-11-30T12:00", pace: "30" });
  expect(on.text).toContain("The queue is on.");
  expect(on.text).toContain("0 shoppers waiting, 0 in their turn, 0 ordered");
  expect(await listQueues(db(), id)).toMatchObject([{ pace: 30, isOpen: false }]);
  const shopper = await makeShopper(db());
  await db().insertInto("queuePlaces").values({ productId: id, userId: shopper.id }).execute();
  const changed = await post({ intent: "queue-on", from: "", pace: "90" });
  expect(changed.text).toContain("1 shopper waiting");
  expect(changed.text).toContain("90 turns a minute");
  const off = await post({ intent: "queue-off" });
  expect(off.text).toContain("The queue has ended.");
  expect(await audited()).toEqual(["queue on", "queue on", "queue off"]);
});

test("one that has been open for a day waits on Today; the list of products marks each", async () => {
  const title = `Jersey ${id.slice(-6)}`;
  await db().updateTable("products").set({ title }).where("id", "=", id).execute();
  const list = async () => (await pageAt(`/products?q=${id}`, cookies)).text;
  const today = async () => (await pageAt("/", cookies)).text;
  expect(await list()).toMatch(/Published(?! Queue)/);
  await post({ intent: "queue-on", from: "", pace: "30" });
  expect(await list()).toContain("Published Queue");
  expect(await today()).not.toContain("Queues still open");
  await db()
    .updateTable("queues")
    .set({ opensAt: sql<Date>`now() - interval '25 hours'` })
    .where("productId", "=", id)
    .execute();
  const { text, links } = await pageAt("/", cookies);
  expect(text).toContain(`1 Queues still open ${title}. Open since`);
  expect(links).toContain(`/products/${id}`);
  expect((await command(db(), ["status"])).text).toContain(`queues still open      ${id} since`);
  const { cookies: packer } = await staffWithPasskey(db(), "packer");
  expect((await pageAt("/", packer)).text).not.toContain("Queues still open");
  await post({ intent: "queue-off" });
  expect(await today()).not.toContain("Queues still open");
  expect(await list()).toMatch(/Published(?! Queue)/);
});

test.each([
  [{ pace: "0" }, "The pace is a whole number from 1 to 6000"],
  [{ pace: "many" }, "A whole number"],
  [{ pace: "30", from: "noon" }, "A day and a time, or nothing"],
])("what was typed wrongly is refused beside its field, and kept: %j", async (typed, problem) => {
  const refused = await post({ intent: "queue-on", ...typed });
  expect(refused.text).toContain(problem);
  expect(await listQueues(db(), id)).toEqual([]);
  expect(refused.fields.find(({ name }) => name === "pace")?.value).toBe(typed.pace);
});
