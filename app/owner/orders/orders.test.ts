import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Actor } from "#app/infra/audit.server.ts";
import { renderers } from "#app/orders/emails.tsx";
import type { RefundWish } from "#app/orders/refund-plan.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { PICK_UP } from "#app/shipping/shipping.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { lagosForm, makeProduct, makeShopper } from "#tests/support/shop.ts";
import { listChanges } from "../audit.server.ts";
import { changeAddress } from "./address.server.ts";
import { changeOrder } from "./change.server.ts";
import { markDelivered, markPacked, markSent } from "./fulfilment.server.ts";
import { orderHistory } from "./history.server.ts";
import { resendOrderMail } from "./mails.server.ts";
import { addNote } from "./notes.server.ts";
import { markManySent, planParcels, type SentParcel } from "./parcels/parcels.server.ts";
import { ordersToPrint } from "./print.server.ts";
import { refundAgreed, retryFailed } from "./refunds/refunds.server.ts";
import { viewOrder } from "./view.server.ts";

const { db, provider, open, openPickUp, refundsOf, catchUp, stockOf } = useCheckout();
const BISI = { name: "bisi@example.com", door: "office" } as const;
const TUNDE = { name: "tunde@example.com", door: "office" } as const;

async function sold(quantity = 1, pickUp = false) {
  const productId = await makeProduct(db(), { M: 9 });
  const payment = pickUp ? await openPickUp() : await open(await makeShopper(db(), { productId, size: "M", quantity }));
  const { reference } = payment;
  provider.pay(reference);
  await settlePayment(reference);
  const { number } = await db()
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select("number")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  return { number, reference, productId, one: [{ productId, size: "M", quantity: 1 }] };
}

const auditOf = async (reference: string) =>
  (await listChanges(db(), { subject: `order:${reference}`, limit: 50, offset: 0 })).changes;
const titles = async (number: string) => (await orderHistory(db(), number)).map(({ title }) => title);
const mailsOf = (kind: string) =>
  db().selectFrom("outbox").select(["idempotencyKey", "recipient", "data"]).where("kind", "=", kind).execute();
const version = async (number: string) => (await viewOrder(db(), number))?.version ?? "";
const posted = (changed: Partial<typeof lagosForm>) => new URLSearchParams({ ...lagosForm, ...changed });

describe("a refund that is requested with a key", () => {
  const ask = (reference: string, wish: RefundWish, kobo: number, key: string) =>
    changeOrder(
      db(),
      BISI,
      "orders refund",
      reference,
    )((trx) =>
      refundAgreed(trx, reference, wish, kobo, { idempotencyKey: key, cause: "Too small", words: "Thank you." }),
    );

  test("is one refund, one mail and one row of the log, also for repeated and simultaneous requests", async () => {
    const { reference, one, number } = await sold(2);
    const key = randomUUID();
    const done = await Promise.all([1, 2, 3].map(() => ask(reference, { pieces: one }, 7_998_400, key)));
    expect(done.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(await refundsOf(reference)).toMatchObject([{ kobo: "7998400", cause: "Too small", idempotencyKey: key }]);
    expect(await auditOf(reference)).toHaveLength(1);
    const mails = (await mailsOf("refund-started")).filter(
      ({ data }) => (data as { number: string }).number === number,
    );
    expect(mails).toMatchObject([{ data: { words: "Thank you." } }]);
    await catchUp(reference);
    provider.finishRefunds("processed", reference);
    await catchUp(reference);
  });

  test("is a second refund with a second key, and never more than was paid", async () => {
    const { reference, one } = await sold(2);
    for (const _ of [1, 2])
      expect(await ask(reference, { pieces: one }, 7_998_400, randomUUID())).toMatchObject({ ok: true });
    expect(await ask(reference, { pieces: one }, 7_998_400, randomUUID())).toMatchObject({ ok: false });
    expect(await refundsOf(reference)).toHaveLength(2);
  });

  test("is not reported as done if the same form requests something else later", async () => {
    const { reference, one } = await sold(2);
    const [key, other] = [randomUUID(), await sold(2)];
    expect(await ask(reference, { pieces: one }, 7_998_400, key)).toMatchObject({ ok: true });
    const refused = { ok: false, problem: expect.stringContaining("Check it again") };
    expect(await ask(reference, { pieces: one, withShipping: true }, 8_558_400, key)).toMatchObject(refused);
    expect(await ask(other.reference, { pieces: other.one }, 7_998_400, key)).toMatchObject(refused);
    expect([await refundsOf(reference), await refundsOf(other.reference)]).toMatchObject([[{}], []]);
  });

  test("does nothing if the sum is not the confirmed one", async () => {
    const { reference, one } = await sold(2);
    expect(await ask(reference, { pieces: one }, 7_998_401, randomUUID())).toMatchObject({ ok: false });
    expect([await refundsOf(reference), await auditOf(reference)]).toEqual([[], []]);
  });

  test("can be retried only if it has failed", async () => {
    const { reference, one, number } = await sold(2);
    const again = () => changeOrder(db(), BISI, "orders refund", reference)((trx) => retryFailed(trx, reference));
    expect(await again()).toEqual({ ok: false, problem: "None of its refunds have failed" });
    await ask(reference, { pieces: one, restock: true }, 7_998_400, randomUUID());
    await catchUp(reference);
    provider.finishRefunds("failed", reference);
    await catchUp(reference);
    expect(await titles(number)).toContain("₦79,984 couldn’t be given back");
    expect(await again()).toMatchObject({ ok: true });
    expect(await refundsOf(reference)).toMatchObject([{ state: "open", kobo: "7998400" }]);
    expect(await again()).toMatchObject({ ok: false });
  });

  test("is in the history with each failure and retry, whatever its present state", async () => {
    const { reference, one, number } = await sold(2);
    const again = (by: Actor) =>
      changeOrder(db(), by, "orders refund", reference)((trx) => retryFailed(trx, reference));
    const end = async (state: "failed" | "processed") => {
      await catchUp(reference);
      provider.finishPending(state, reference);
      await catchUp(reference);
    };
    await ask(reference, { pieces: one }, 7_998_400, randomUUID());
    await end("failed");
    expect(await again(BISI)).toEqual({ ok: true, what: expect.stringContaining("sent to the provider again") });
    await end("failed");
    await again({ name: "root", door: "command" });
    await end("processed");
    const told = (await orderHistory(db(), number)).filter(({ title }) => /₦79,984|once more/.test(title));
    expect(told.map(({ title, by }) => [title, by])).toEqual([
      ["₦79,984 is back with the shopper", undefined],
      ["Asked to give it back once more", "root by command"],
      ["₦79,984 couldn’t be given back", undefined],
      ["Asked to give it back once more", "bisi@example.com"],
      ["₦79,984 couldn’t be given back", undefined],
      ["₦79,984 on its way back", "bisi@example.com"],
    ]);
  });
});

describe("two members of staff at the same time", () => {
  test("a member who has not seen the other's change is refused with that change, and changes nothing", async () => {
    const { reference, number } = await sold();
    const seen = await version(number);
    const pack = changeOrder(db(), BISI, "orders pack", reference, seen);
    expect(await pack((trx) => markPacked(trx, reference))).toMatchObject({ ok: true });
    const late = await changeAddress(db(), TUNDE, reference, posted({ address: "2 Broad Street" }), seen);
    expect(late).toMatchObject({ ok: false, since: [{ by: "bisi@example.com", action: "orders pack" }] });
    expect((await viewOrder(db(), number))?.shipping.address).toBe("1 Broad Street");
    const now = await version(number);
    expect(await changeAddress(db(), TUNDE, reference, posted({ address: "2 Broad Street" }), now)).toMatchObject({
      ok: true,
    });
  });

  test("the second press of a double click gets the first one's result", async () => {
    const { reference, number, one } = await sold();
    const seen = await version(number);
    const key = randomUUID();
    const press = (idempotencyKey: string) =>
      changeOrder(
        db(),
        BISI,
        "orders refund",
        reference,
        seen,
      )((trx) => refundAgreed(trx, reference, { pieces: one }, 7_998_400, { idempotencyKey }));
    const [first, second] = await Promise.all([press(key), press(key)]);
    expect([first, second]).toEqual([expect.objectContaining({ ok: true }), expect.objectContaining({ ok: true })]);
    expect(await press(randomUUID())).toMatchObject({ ok: false, since: [{ action: "orders refund" }] });
    expect(await refundsOf(reference)).toHaveLength(1);
    expect(await auditOf(reference)).toHaveLength(1);
  });

  test("of two simultaneous changes one is refused", async () => {
    const { reference, number } = await sold();
    const seen = await version(number);
    const done = await Promise.all([
      changeOrder(db(), BISI, "orders pack", reference, seen)((trx) => markPacked(trx, reference)),
      changeOrder(db(), TUNDE, "orders fulfil", reference, seen)((trx) => markSent(trx, reference)),
    ]);
    expect(done.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await auditOf(reference)).toHaveLength(1);
  });

  test("a note conflicts with no change", async () => {
    const { reference, number } = await sold();
    const seen = await version(number);
    const note = { id: randomUUID(), text: "Ask for the +234 number" };
    for (const _ of [1, 2]) expect(await addNote(db(), TUNDE, reference, note)).toMatchObject({ ok: true });
    expect(await addNote(db(), TUNDE, reference, { ...note, text: "Another one" })).toMatchObject({ ok: false });
    const pack = changeOrder(db(), BISI, "orders pack", reference, seen);
    expect(await pack((trx) => markPacked(trx, reference))).toMatchObject({ ok: true });
    const notes = (await orderHistory(db(), number)).filter(({ words }) => words);
    expect(notes).toMatchObject([{ by: "tunde@example.com", words: note.text }]);
    const rows = await auditOf(reference);
    expect(rows.map(({ action }) => action).sort()).toEqual(["orders note", "orders pack"]);
    expect(JSON.stringify(rows)).not.toContain("+234");
  });
});

describe("the address", () => {
  test("is changed by the rules of the form, and found by search; the log does not contain it", async () => {
    const { reference, number } = await sold();
    const changed = { address: "7 Allen Avenue", lastName: "Adeleke", email: "new@example.com" };
    expect(await changeAddress(db(), BISI, reference, posted(changed))).toMatchObject({ ok: true });
    expect(await viewOrder(db(), number)).toMatchObject({
      email: "new@example.com",
      shipping: { ...changed, state: "Lagos", shippingCost: "3.50" },
    });
    const [row] = await auditOf(reference);
    expect(row?.after).toMatchObject({ done: "address changed: lastName, email, address; the shopper is emailed" });
    for (const word of Object.values(changed)) expect(JSON.stringify(row)).not.toContain(word);
  });

  test("40 loses the old landmark when it changes, and the shopper gets a mail with the new address", async () => {
    const { reference, number } = await sold();
    const shipping = async () => (await viewOrder(db(), number))?.shipping;
    const change = async (fields: Partial<typeof lagosForm> & { landmarkStays?: "on" }) => {
      const form = { ...lagosForm, ...(await shipping()), ...fields };
      const texts = Object.entries(form).flatMap(([name, text]) =>
        typeof text === "string" && name !== "shippingRate" ? [[name, text]] : [],
      );
      expect(await changeAddress(db(), BISI, reference, new URLSearchParams(texts))).toMatchObject({ ok: true });
      return shipping();
    };
    expect(await change({ landmark: "the old mosque" })).toMatchObject({ landmark: "the old mosque" });
    expect(await change({ lastName: "Adeleke" })).toMatchObject({ landmark: "the old mosque" });
    expect(await change({ address: "7 Allen Avenue" })).toMatchObject({
      landmark: "",
      localGovernment: "Lagos Island",
    });
    expect(await change({ address: "9 Allen Avenue", landmark: "a bank" })).toMatchObject({ landmark: "a bank" });
    expect(await change({ address: "11 Allen Avenue", landmarkStays: "on" })).toMatchObject({ landmark: "a bank" });
    expect(await change({ state: "Ogun" })).toMatchObject({ state: "Ogun", landmark: "", localGovernment: "" });
    const mails = await db()
      .selectFrom("outbox")
      .select(["recipient", "data"])
      .where("kind", "=", "order-address")
      .where(sql<boolean>`data ->> 'reference' = ${reference}`)
      .orderBy("createdAt")
      .execute();
    expect(mails).toHaveLength(6);
    expect(mails.at(-1)).toMatchObject({ recipient: "ada@example.com", data: { number } });
    const said = await renderers["order-address"]?.(mails.at(-1)?.data);
    expect(said?.text).toMatch(/11 Allen Avenue[\s\S]*Ogun/);
    expect(said?.text).not.toMatch(/Lagos|a bank/);
    expect(await titles(number)).toContain("Mail: delivery details changed");
  });

  test("sets the order's place, too, if it is in another state or at a pick-up center", async () => {
    const { reference } = await sold();
    const placeAfter = async (changed: Partial<typeof lagosForm>) => {
      expect(await changeAddress(db(), BISI, reference, posted(changed))).toMatchObject({ ok: true });
      const sale = db().selectFrom("sales").select("shipping").where("reference", "=", reference);
      return (await sale.executeTakeFirst())?.shipping.location;
    };
    expect(await placeAfter({ state: "Ogun", city: "Abeokuta" })).toBe("Ogun");
    expect(await placeAfter({ deliveryType: PICK_UP, state: "", pickupCenter: "Surulere" })).toBe("Surulere");
  });

  test("is not logged if nothing has changed", async () => {
    const { reference } = await sold();
    expect(await changeAddress(db(), BISI, reference, posted({}))).toMatchObject({ ok: true, isRepeat: true });
    expect(await auditOf(reference)).toEqual([]);
  });

  test.each<[string, Partial<typeof lagosForm>, object]>([
    ["without a street", { address: "" }, { errors: { address: expect.any(String) } }],
    ["with an invalid phone number", { phoneNumber: "123" }, { errors: { phoneNumber: expect.any(String) } }],
    [
      "in another country",
      { country: "Ghana", city: "Accra", phoneNumber: "+233 24 123 4567" },
      { problem: expect.stringContaining("Another country") },
    ],
  ])("%s is refused", async (_, changed, refusal) => {
    const { reference } = await sold();
    expect(await changeAddress(db(), BISI, reference, posted(changed))).toMatchObject({ ok: false, ...refusal });
    expect(await auditOf(reference)).toEqual([]);
  });

  test("cannot be changed once the order was sent", async () => {
    const { reference } = await sold();
    await markSent(db(), reference);
    expect(await changeAddress(db(), BISI, reference, posted({ address: "x" }))).toMatchObject({
      ok: false,
      problem: "It has left already",
    });
  });
});

describe("a mail that is sent again", () => {
  test("has the order's present state, goes to the present address, and is sent once per form", async () => {
    const { reference, number } = await sold();
    await changeAddress(db(), BISI, reference, posted({ email: "corrected@example.com" }));
    const key = randomUUID();
    for (const _ of [1, 2])
      expect(await resendOrderMail(db(), BISI, reference, { kind: "order-confirmation", key })).toMatchObject({
        ok: true,
      });
    const again = (await mailsOf("order-confirmation")).filter(
      ({ recipient }) => recipient === "corrected@example.com",
    );
    expect(again).toMatchObject([{ data: { number, charged: "₦85,584" } }]);
    expect((await auditOf(reference)).filter(({ action }) => action === "orders resend")).toHaveLength(1);
    expect(await titles(number)).toContain("Mail once more: Receipt");
  });

  test.each(["order-sent", "order-ready", "refund-started", "refund-done"] as const)(
    "'%s' is refused before there is anything to say",
    async (kind) => {
      const { reference } = await sold();
      const done = await resendOrderMail(db(), BISI, reference, { kind, key: randomUUID() });
      expect(done).toMatchObject({ ok: false, problem: expect.stringContaining("nothing to say") });
    },
  );
});

describe("a sheet of parcels", () => {
  const run = async (text: string, carrier?: string) => {
    const rows: SentParcel[] = [];
    await markManySent(db(), BISI, { text, carrier, withoutNumber: true }, (_done, _all, row) => rows.push(row));
    return rows.map(({ ok, says }) => `${ok} ${says}`);
  };

  test("is previewed row by row, carried out, and repeated without effect", async () => {
    const [first, second, sent, picked] = [await sold(), await sold(), await sold(), await sold(1, true)];
    const { payment } = { payment: await open(await makeShopper(db(), { productId: first.productId, size: "M" })) };
    const { number: unpaid } = await db()
      .selectFrom("orders")
      .innerJoin("payments", "payments.orderId", "orders.id")
      .select("number")
      .where("reference", "=", payment.reference)
      .executeTakeFirstOrThrow();
    await markSent(db(), sent.reference, { carrier: "DHL", tracking: "1" });
    const text = [
      `${first.number}\tGIG\tGIG-1`,
      `GIG-2\t${second.number}`,
      `${sent.number}\tDHL\t2`,
      `${picked.number}`,
      `${unpaid}\tDHL\t3`,
      "IR-0000-00\tDHL\t4",
      "nonsense",
      `${first.number}\tDHL\t5`,
    ].join("\n");
    const plan = await planParcels(db(), { text, carrier: "DHL", withoutNumber: true });
    expect(plan.map(({ will }) => will)).toEqual(["send", "send", "correct", "send", "fail", "fail", "fail", "fail"]);
    expect(await auditOf(first.reference)).toEqual([]);
    expect(await run(text, "DHL")).toEqual([
      "true sent off; the shopper is emailed",
      "true sent off; the shopper is emailed",
      "true corrected; the shopper is emailed",
      "true sent off; the shopper is emailed",
      "false Isn’t paid yet",
      "false This order doesn’t exist",
      "false No order number, like IR-7K3M-2Q",
      `false ${first.number} stands in line 1 already`,
    ]);
    expect(await viewOrder(db(), second.number)).toMatchObject({ carrier: "DHL", tracking: "GIG-2" });
    const mails = (await mailsOf("order-sent")).length;
    expect((await run(text, "DHL")).slice(0, 4)).toEqual(Array(4).fill("true Already sent"));
    expect((await mailsOf("order-sent")).length).toBe(mails);
    expect(await auditOf(first.reference)).toMatchObject([{ actor: "bisi@example.com", action: "orders fulfil" }]);
  });

  test("21 has a question for a row without a tracking number, which is not sent without a confirmation", async () => {
    const [bare, numbered] = [await sold(), await sold()];
    const text = `${bare.number}\tGIG\n${numbered.number}\tGIG\tGIG-1`;
    expect((await planParcels(db(), { text })).map(({ will }) => will)).toEqual(["ask", "send"]);
    const rows: SentParcel[] = [];
    await markManySent(db(), BISI, { text }, (_done, _all, row) => rows.push(row));
    expect(rows.map(({ ok, says }) => [ok, says])).toEqual([
      [false, "Without a tracking number"],
      [true, "sent off; the shopper is emailed"],
    ]);
    expect(await auditOf(bare.reference)).toEqual([]);
    expect(await run(text)).toEqual(["true sent off; the shopper is emailed", "true Already sent"]);
  });

  test("with more than two hundred rows takes the first two hundred", async () => {
    const { number } = await sold();
    const rows = Array.from({ length: 200 }, (_, index) => `row ${index}`);
    const [last] = (await planParcels(db(), { text: [...rows, number].join("\n") })).slice(-1);
    expect(last).toMatchObject({ will: "fail", says: expect.stringContaining("More than 200") });
  });
});

test("a packing slip has the pieces to pack, without those that were refunded before the order left", async () => {
  const { reference, number, one } = await sold(2);
  const packed = async () =>
    (await ordersToPrint(db(), [number])).map(({ lines }) => lines.map((line) => line.quantity));
  const giveBack = (key: string) =>
    changeOrder(
      db(),
      BISI,
      "orders refund",
      reference,
    )((trx) => refundAgreed(trx, reference, { pieces: one, restock: true }, 7_998_400, { idempotencyKey: key }));
  expect(await packed()).toEqual([[2]]);
  await giveBack(randomUUID());
  expect(await packed()).toEqual([[1]]);
  await markSent(db(), reference);
  await giveBack(randomUUID());
  expect(await packed()).toEqual([[1]]);
});

test("a packing slip of an unpaid order has nothing to pack", async () => {
  const { reference } = await open(await makeShopper(db(), { productId: (await sold()).productId, size: "M" }));
  const number = await db()
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select("number")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  expect(await ordersToPrint(db(), [number.number])).toMatchObject([{ lines: [] }]);
});

test.each([
  ["office", "bisi@example.com"],
  ["command", "bisi@example.com by command"],
] as const)("the history says who did what by %s", async (door, who) => {
  const { reference, number, one } = await sold(2);
  const by = (action: string) => changeOrder(db(), { ...BISI, door }, action, reference);
  await by("orders pack")((trx) => markPacked(trx, reference));
  await by("orders refund")((trx) => refundAgreed(trx, reference, { pieces: one }, 7_998_400));
  await by("orders fulfil")((trx) => markSent(trx, reference));
  await by("orders fulfil")((trx) => markSent(trx, reference, { carrier: "DHL" }));
  const told = (await orderHistory(db(), number)).filter(({ by }) => by !== undefined && by !== "Paystack");
  expect(told.map(({ title, by }) => [title, by])).toEqual(
    ["Parcel corrected", "Sent", "₦79,984 on its way back", "Packed"].map((title) => [title, who]),
  );
});

test("the history has all events, newest first, with the person", async () => {
  const { reference, number, one, productId } = await sold(2);
  const by = (action: string) => changeOrder(db(), BISI, action, reference);
  await by("orders pack")((trx) => markPacked(trx, reference));
  await by("orders fulfil")((trx) => markSent(trx, reference, { carrier: "GIG", tracking: "GIG-1" }));
  await by("orders fulfil")((trx) => markSent(trx, reference, { carrier: "GIG", tracking: "GIG-2" }));
  await by("orders deliver")((trx) => markDelivered(trx, reference));
  await by("orders refund")((trx) =>
    refundAgreed(trx, reference, { pieces: one, restock: true }, 7_998_400, { cause: "Faulty or damaged" }),
  );
  await catchUp(reference);
  provider.finishRefunds("processed", reference);
  await catchUp(reference);
  const history = await orderHistory(db(), number);
  expect(history.map(({ at }) => at.getTime())).toEqual(history.map(({ at }) => at.getTime()).sort((a, b) => b - a));
  expect(history.map(({ title }) => title).sort()).toEqual(
    [
      ..."Reserved,Payment opened,Packed,Sent,Parcel corrected,Mail: correction of the parcel,Delivered".split(","),
      "Paid ₦165,568",
      "₦79,984 on its way back",
      "₦79,984 is back with the shopper",
    ].sort(),
  );
  const find = (title: string) => history.find((one) => one.title === title);
  expect(find("Sent")).toMatchObject({ by: "bisi@example.com", text: "GIG, GIG-2. The mail is on its way." });
  expect(find("₦79,984 on its way back")).toMatchObject({
    by: "bisi@example.com",
    text: "1 × Home Jersey, Green, M. Faulty or damaged. Back in stock. The mail is on its way.",
  });
  expect(await stockOf(productId)).toMatchObject({ onHand: 8 });
});
