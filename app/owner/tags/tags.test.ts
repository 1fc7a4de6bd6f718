import { expect, test } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OFFICE as by } from "#tests/support/returns.ts";
import { changeOrder } from "../orders/change.server.ts";
import { markPacked } from "../orders/fulfilment.server.ts";
import { takeableActs } from "../orders/take-back.server.ts";
import { viewOrder } from "../orders/view.server.ts";
import { changeOrderTags } from "./change.server.ts";
import { readTag } from "./tag.ts";
import { tagsInUse, tagsOn } from "./tags.server.ts";

const { db, provider, oneBuyer } = useCheckout();

async function sold() {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const order = db().selectFrom("orders").select(["id", "number"]).where("id", "=", payment.orderId);
  return { reference: payment.reference, ...(await order.executeTakeFirstOrThrow()) };
}

async function add(reference: string, typed: string) {
  const tag = readTag(typed);
  if ("problem" in tag) throw new Error(tag.problem);
  return changeOrderTags(db(), by, reference, { add: tag });
}

test.each([
  ["gift", "gift", "gift"],
  ["  Gift   wrap ", "Gift wrap", "gift wrap"],
  ["Ọ̀ṣun – VIP", "Ọ̀ṣun - VIP", "osun vip"],
  ["Ọ̀ṣun".normalize("NFD"), "Ọ̀ṣun".normalize("NFC"), "osun"],
  ["2027", "2027", "2027"],
  ["x".repeat(30), "x".repeat(30), "x".repeat(30)],
])("%j is the tag %j", (typed, word, folded) => {
  expect(readTag(typed)).toEqual({ word, folded });
});

test.each([
  ["", "Write a tag"],
  [" \t ", "Write a tag"],
  ["x".repeat(31), "At most 30 characters"],
  ["50%", "Use letters, digits, spaces and dashes only"],
  ["a_b", "Use letters, digits, spaces and dashes only"],
  ["🎁", "Use letters, digits, spaces and dashes only"],
  ["- -", "Use at least one letter or digit"],
])("%j is no tag: %s", (typed, problem) => {
  expect(readTag(typed)).toEqual({ problem });
});

test("a tag keeps its first spelling, and is in use as long as an order has it", async () => {
  const [one, other] = [await sold(), await sold()];
  await add(one.reference, "Gift wrap");
  await add(one.reference, "Àdire");
  expect(await add(other.reference, "GIFT-WRAP")).toEqual({ ok: true, what: "tagged “Gift wrap”" });
  expect(await tagsOn(db(), "order", other.id)).toEqual([{ folded: "gift wrap", word: "Gift wrap" }]);
  expect((await tagsInUse(db(), ["order"])).map(({ word }) => word)).toEqual(["Àdire", "Gift wrap"]);
  await changeOrderTags(db(), by, one.reference, { remove: "adire" });
  expect((await tagsInUse(db(), ["order"])).map(({ word }) => word)).toEqual(["Gift wrap"]);
});

test("of twelve simultaneous tags ten stay, and a tag that is added twice at once is one", async () => {
  const { reference, id } = await sold();
  const done = await Promise.all(["a", "A", ..."bcdefghijkl"].map((word) => add(reference, word)));
  expect(await tagsOn(db(), "order", id)).toHaveLength(10);
  expect(done.filter(({ ok }) => !ok)).toHaveLength(2);
  const rows = await db().selectFrom("auditLog").select("action").where("subjectId", "=", reference).execute();
  expect(rows).toEqual(Array.from({ length: 10 }, () => ({ action: "orders tag" })));
});

test("a tag conflicts with no change, and the last step can still be taken back", async () => {
  const { reference, number } = await sold();
  const seen = (await viewOrder(db(), number))?.version;
  await add(reference, "gift");
  const pack = changeOrder(db(), by, "orders pack", reference, seen);
  expect(await pack((trx) => markPacked(trx, reference))).toMatchObject({ ok: true });
  await changeOrderTags(db(), by, reference, { remove: "gift" });
  expect(await takeableActs(db(), [number])).toHaveLength(1);
});
