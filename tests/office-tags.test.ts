vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, describe, expect, test, vi } from "vitest";
import { forgetCustomer } from "#app/owner/customers/customers.server.ts";
import { markSent } from "#app/owner/orders/fulfilment.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { saveRole } from "#app/staff/own-roles.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { OFFICE as BY } from "#tests/support/returns.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer } = useCheckout();
const ask = useOfficePages();
let cookies: string[];

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "orders"));
});

/** An order that is paid. Returns its number, the path of its page and its customer's id. */
async function anOrder() {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const order = db().selectFrom("orders").select("number").where("id", "=", payment.orderId);
  const { number } = await order.executeTakeFirstOrThrow();
  return { number, path: `/orders/${number}`, reference: payment.reference, customer: user.id };
}

const add = (path: string, tag: string) => ask(path, cookies, { intent: "tag", tag });
const remove = (path: string, tag: string) => ask(path, cookies, { intent: "untag", tag });
/** The tags that the page has a button to remove. */
const removable = ({ fields }: OfficePage) =>
  fields.filter(({ name, type }) => name === "tag" && type === "hidden").map(({ value }) => value);
/** What stands in the field for a new tag. */
const typed = ({ fields }: OfficePage) => fields.find(({ name, list }) => name === "tag" && list)?.value ?? "";
const auditOf = (id: string) =>
  db()
    .selectFrom("auditLog")
    .select(["action", "after"])
    .where("subjectId", "=", id)
    .where("action", "like", "%tag")
    .orderBy("id")
    .execute();
const rowOf = ({ text }: OfficePage, from: string) => text.slice(text.indexOf(from), text.indexOf(from) + 300);

test.each(["/orders", "/customers"])("%s without any tag shows nothing of them", async (list) => {
  await anOrder();
  const page = await ask(list, cookies);
  expect(page.raw).not.toContain('name="tag"');
  expect(page.text).not.toContain("Tags:");
});

test("an order's tag is added and removed by plain forms, and each change is one row that people can read", async () => {
  const { path, number, reference } = await anOrder();
  const added = await add(path, "Gift wrap");
  expect(added.text).toContain("Tagged “Gift wrap”.");
  expect(removable(added)).toEqual(["gift wrap"]);
  expect(added.links).toContain("/orders?tag=gift+wrap");
  expect(typed(added)).toBe("");
  const removed = await remove(path, "gift wrap");
  expect(removed.text).toContain("Removed the tag “Gift wrap”.");
  expect(removable(removed)).toEqual([]);
  expect(await auditOf(reference)).toEqual([
    { action: "orders tag", after: { done: "tagged “Gift wrap”" } },
    { action: "orders untag", after: { done: "removed the tag “Gift wrap”" } },
  ]);
  const log = await ask(`/audit?q=${number}`, cookies);
  expect(log.text).toMatch(new RegExp(`orders tag\\s*order\\s*${number}\\s*done:\\s*tagged “Gift wrap”`));
});

test("a tag that is typed twice, in capitals and with marks, is one; one that is removed twice is gone", async () => {
  const { path, reference } = await anOrder();
  for (const word of ["gift", "GIFT", "gìft"]) expect(removable(await add(path, word))).toEqual(["gift"]);
  expect(await auditOf(reference)).toHaveLength(1);
  for (const _ of [1, 2]) expect((await remove(path, "gift")).status).toBe(200);
  expect(await auditOf(reference)).toHaveLength(2);
});

test.each([
  ["", "Write a tag"],
  ["gift!", "Use letters, digits, spaces and dashes only"],
  ["a word that has more than thirty letters", "At most 30 characters"],
])("%j is refused beside the field, which keeps it", async (word, problem) => {
  const { path, reference } = await anOrder();
  const page = await add(path, word);
  expect(page.status).toBe(422);
  expect(page.text).toContain(problem);
  expect(typed(page)).toBe(word);
  expect(page.fields.find(({ list }) => list)?.["aria-invalid"]).toBe("true");
  expect(await auditOf(reference)).toEqual([]);
});

test("an eleventh tag is refused, and says what to do", async () => {
  const { path } = await anOrder();
  for (let at = 1; at <= 10; at++) await add(path, `tag ${at}`);
  const page = await add(path, "one more");
  expect(page.text).toContain("At most 10 tags. Remove one first");
  expect(typed(page)).toBe("one more");
  expect(removable(page)).toHaveLength(10);
});

test("tags that are in use are suggested, but not those that are there", async () => {
  const [one, other] = [await anOrder(), await anOrder()];
  await add(one.path, "Àdire");
  expect((await ask(other.path, cookies)).raw).toContain('<option value="Àdire">');
  expect((await ask(one.path, cookies)).raw).not.toContain('<option value="Àdire">');
});

test("the list and its CSV are filtered by a tag, and the rows that have some show them", async () => {
  const [one, other] = [await anOrder(), await anOrder()];
  await add(one.path, "Press");
  await add(one.path, "Rush");
  const all = await ask("/orders", cookies);
  expect(all.raw).toContain('<option value="press">Press</option>');
  expect(rowOf(all, one.number)).toContain("Tags: Press, Rush");
  expect(all.links).toContain(other.path);
  for (const query of ["tag=press", "tag=PRESS&view=to-send"]) {
    const found = await ask(`/orders?${query}`, cookies);
    expect(found.links).toContain(one.path);
    expect(found.links).not.toContain(other.path);
  }
  const csv = (await ask("/orders/export.csv?tag=press", cookies)).raw;
  expect(csv).toContain(one.number);
  expect(csv).not.toContain(other.number);
  expect((await ask("/orders?tag=nothing", cookies)).text).toContain("No order fits. See all orders");
});

describe.each(["packer", "bookkeeper", "reader"])("%s", (role) => {
  test("sees no tag, finds nothing by one, and changes none", async () => {
    const [one, other] = [await anOrder(), await anOrder()];
    await add(one.path, "Zebra");
    const { cookies: theirs } = await staffWithPasskey(db(), role);
    for (const path of ["/orders", one.path]) {
      const page = await ask(path, theirs);
      expect(page.status).toBe(200);
      expect(page.raw.toLowerCase()).not.toContain("zebra");
    }
    const { links } = await ask("/orders?tag=zebra", theirs);
    expect(links).toEqual(expect.arrayContaining([one.path, other.path]));
    for (const intent of ["tag", "untag"])
      expect((await ask(one.path, theirs, { intent, tag: "zebra" })).status).toBe(403);
    expect(removable(await ask(one.path, cookies))).toEqual(["zebra"]);
  });
});

describe("a customer", () => {
  test("has tags as an order has them, which filter the list of customers and stand in its rows", async () => {
    const [one, other] = [await anOrder(), await anOrder()];
    const path = `/customers/${one.customer}`;
    expect(removable(await add(path, "Wholesale"))).toEqual(["wholesale"]);
    expect((await add(path, "WHOLESALE")).text).toContain("Tagged “Wholesale”.");
    expect((await add(path, "50%")).text).toContain("Use letters, digits, spaces and dashes only");
    expect((await ask("/customers", cookies)).text).toContain("Tags: Wholesale");
    const { links } = await ask("/customers?tag=wholesale", cookies);
    expect(links).toContain(path);
    expect(links).not.toContain(`/customers/${other.customer}`);
    expect(removable(await remove(path, "wholesale"))).toEqual([]);
    expect(await auditOf(one.customer)).toEqual([
      { action: "customers tag", after: { done: "tagged “Wholesale”" } },
      { action: "customers untag", after: { done: "removed the tag “Wholesale”" } },
    ]);
  });

  test("gives its tags to the suggestions of those alone who see customers", async () => {
    const { path, customer } = await anOrder();
    await add(`/customers/${customer}`, "Owes a call");
    await saveRole(db(), BY, { name: "Desk", permissions: ["service"] });
    const { cookies: desk } = await staffWithPasskey(db(), "Desk");
    expect((await ask(path, cookies)).raw).toContain('<option value="Owes a call">');
    const page = await ask(path, desk);
    expect(page.text).toContain("Add a tag");
    expect(page.raw).not.toContain("Owes a call");
  });

  test.each(["packer", "bookkeeper", "reader"])("is nobody of whom a %s sees or changes a tag", async (role) => {
    const { customer } = await anOrder();
    const { cookies: theirs } = await staffWithPasskey(db(), role);
    for (const path of [`/customers/${customer}`, "/customers?tag=vip"])
      expect((await ask(path, theirs)).status).toBe(403);
    expect((await ask(`/customers/${customer}`, theirs, { intent: "tag", tag: "VIP" })).status).toBe(403);
    expect(await auditOf(customer)).toEqual([]);
  });

  test("who is forgotten has no tags any longer, and the orders keep theirs", async () => {
    const { path, customer, reference } = await anOrder();
    await add(path, "Keepsake");
    await add(`/customers/${customer}`, "Keepsake");
    await markSent(db(), reference);
    expect(await forgetCustomer(db(), BY, customer)).toEqual({ ok: true });
    expect(await db().selectFrom("customerTags").selectAll().where("userId", "=", customer).execute()).toEqual([]);
    expect(removable(await ask(path, cookies))).toEqual(["keepsake"]);
  });
});
