import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import * as messages from "#app/messages.ts";
import { renderers } from "#app/orders/emails.tsx";
import { recordIssue } from "#app/orders/issues.server.ts";
import { changeAddress } from "#app/owner/orders/address.server.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { markPacked, markSent } from "#app/owner/orders/fulfilment.server.ts";
import { orderHistory } from "#app/owner/orders/history.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { ordersToPrint } from "#app/owner/orders/print.server.ts";
import { viewOrder } from "#app/owner/orders/view.server.ts";
import { cancelOwnOrder } from "#app/payments/refunds/own-cancel.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { type Destination, PICK_UP, type ShippingForm } from "#app/shipping/shipping.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper, toLagos } from "#tests/support/shop.ts";
import { toSaleDocument } from "../document.ts";
import { listSold } from "../history.server.ts";
import { changeOwnAddress, readAddressOffer } from "./own.server.ts";

const { db, provider, open, mailsAbout, salesOf } = useCheckout({ max: 30 });
const BISI = { name: "bisi@example.com", door: "office" } as const;
const MOVED = { address: "7 Allen Avenue" };

/** A sale of one jersey, by default with 5,600 naira for delivery to Lagos. */
async function sold(address: Partial<ShippingForm> = {}, destination: Destination = toLagos) {
  const productId = await makeProduct(db(), { M: 5 });
  const user = await makeShopper(db(), { productId, size: "M" });
  const { reference } = await open(user, { form: { ...lagosForm, ...address }, destination });
  provider.pay(reference);
  await settlePayment(reference);
  const order = db().selectFrom("orders").select("number").where("userId", "=", user.id);
  const { number } = await order.executeTakeFirstOrThrow();
  return { productId, user, reference, number };
}

const toOgun = () => sold({ state: "Ogun", localGovernment: "" }, { kind: "home", state: "Ogun" });
const pickedUp = () =>
  sold(
    { deliveryType: PICK_UP, address: "", state: "", localGovernment: "", pickupCenter: "Surulere" },
    { kind: "pickup", center: "Surulere" },
  );

type Typed = Partial<Record<keyof ShippingForm | "landmarkStays" | "version", string>>;
const change = (user: Shopper, reference: string, typed: Typed = MOVED) =>
  changeOwnAddress(db(), user.id, reference, { ...lagosForm, ...typed });

/** The address of the order, which is that of its sale. */
async function addressOf(reference: string) {
  const { ordered, shipping } = await db()
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .select(["orders.shipping as ordered", "sales.shipping"])
    .where("sales.reference", "=", reference)
    .executeTakeFirstOrThrow();
  expect(shipping).toEqual(ordered);
  return shipping;
}

async function versionOf(user: Shopper, reference: string): Promise<string> {
  const offer = await readAddressOffer(db(), user.id, reference);
  if (!offer.ok) throw new Error(offer.why);
  return offer.version;
}

const textOf = async (data: unknown) => (await renderers["order-address"]?.(data))?.text.replace(/\s+/g, " ") ?? "";

const refused = (why: string) => ({ ok: false, why });
const ONE_MAIL = ["order-address", "order-confirmation"];
const NO_MAIL = ["order-confirmation"];

test("a shopper's new address is in order, sale, label and the sale's document, and the sums stay", async () => {
  const { user, reference, number } = await sold();
  const [before] = await salesOf(user);
  expect(await change(user, reference)).toEqual({ ok: true });
  expect(await addressOf(reference)).toMatchObject({ ...lagosForm, ...MOVED, location: "Lagos", shippingCost: "3.50" });
  const [after] = await salesOf(user);
  expect([after?.shippingCents, after?.totalCents, after?.kobo]).toEqual([
    before?.shippingCents,
    before?.totalCents,
    before?.kobo,
  ]);
  expect(await ordersToPrint(db(), [number])).toMatchObject([{ shipping: MOVED }]);
  const [stored] = await listSold(db(), user.id);
  const { customerDetails } = toSaleDocument(stored as NonNullable<typeof stored>, "https://shop.example");
  expect(customerDetails.shippingAddress).toMatchObject(MOVED);
});

test("one mail has the new address, and the order's history says that the shopper changed it", async () => {
  const { user, reference, number } = await sold({ landmark: "the old mosque" });
  await change(user, reference, { ...MOVED, landmark: "the old mosque" });
  expect(await mailsAbout(reference)).toEqual(ONE_MAIL);
  const mail = db().selectFrom("outbox").select(["data", "recipient"]).where("kind", "=", "order-address");
  const { data, recipient } = await mail
    .where(sql<boolean>`data ->> 'reference' = ${reference}`)
    .executeTakeFirstOrThrow();
  expect(recipient).toBe(lagosForm.email);
  const text = await textOf(data);
  expect(text).toContain(MOVED.address);
  expect(text).not.toContain("mosque");
  const history = await orderHistory(db(), number);
  const find = (title: string) => history.find((one) => one.title === title);
  expect(find("Address changed")).toMatchObject({ by: "the shopper", text: "address, landmark" });
  expect(find("Mail: delivery details changed")).toBeDefined();
  const log = await db().selectFrom("auditLog").selectAll().where("subjectId", "=", reference).execute();
  expect(log).toMatchObject([{ actor: "the shopper", action: "orders address" }]);
  for (const word of [MOVED.address, "mosque", user.email]) expect(JSON.stringify(log)).not.toContain(word);
});

describe("a field of the old place", () => {
  test("is emptied: the landmark, and in another state the local government", async () => {
    const { user, reference } = await toOgun();
    await change(user, reference, { state: "Ogun", localGovernment: "Abeokuta South", landmark: "a bank" });
    expect(await addressOf(reference)).toMatchObject({ localGovernment: "Abeokuta South", landmark: "a bank" });
    await change(user, reference, { ...MOVED, localGovernment: "Abeokuta South", landmark: "a bank" });
    expect(await addressOf(reference)).toMatchObject({ ...MOVED, state: "Lagos", localGovernment: "", landmark: "" });
  });

  test("stays if the shopper confirms it, or if the place is the same", async () => {
    const { user, reference } = await sold({ landmark: "a bank" });
    await change(user, reference, { landmark: "a bank", lastName: "Adeleke" });
    expect(await addressOf(reference)).toMatchObject({ landmark: "a bank", lastName: "Adeleke" });
    await change(user, reference, { ...MOVED, landmark: "a bank", landmarkStays: "on" });
    expect(await addressOf(reference)).toMatchObject({ ...MOVED, landmark: "a bank" });
  });

  test("does not stay: the pick-up center", async () => {
    const { user, reference } = await pickedUp();
    expect(await change(user, reference, { pickupCenter: "Yaba" })).toEqual({ ok: true });
    const yaba = { pickupCenter: "Yaba", location: "Yaba", address: "", state: "" };
    expect(await addressOf(reference)).toMatchObject(yaba);
    const mail = db().selectFrom("outbox").select("data").where("kind", "=", "order-address");
    const { data } = await mail.where(sql<boolean>`data ->> 'reference' = ${reference}`).executeTakeFirstOrThrow();
    const text = await textOf(data);
    expect(text).toContain("Herbert Macaulay Way");
    expect(text).not.toContain("Surulere");
  });

  test("is emptied: the city, which the form for Nigeria does not ask for", async () => {
    const { user, reference } = await sold({ city: "Ikeja" });
    const { city: _, ...form } = lagosForm;
    await changeOwnAddress(db(), user.id, reference, { ...form, lastName: "Adeleke" });
    expect(await addressOf(reference)).toMatchObject({ city: "Ikeja", lastName: "Adeleke" });
    await changeOwnAddress(db(), user.id, reference, { ...form, ...MOVED });
    expect(await addressOf(reference)).toMatchObject({ city: "", ...MOVED });
  });
});

describe("the price of delivery", () => {
  test("if higher, nothing changes, and the error names both sums", async () => {
    const { user, reference } = await sold();
    const error = messages.addressing.dearer("₦7,200", "₦5,600");
    expect(await change(user, reference, { state: "Ogun", localGovernment: "" })).toEqual({
      ok: false,
      why: "dearer",
      errors: { state: error },
    });
    expect(await addressOf(reference)).toMatchObject({ state: "Lagos" });
    expect(await mailsAbout(reference)).toEqual(NO_MAIL);
  });

  test("if higher at another pick-up center, nothing changes", async () => {
    const { user, reference } = await pickedUp();
    expect(await change(user, reference, { pickupCenter: "Ibadan" })).toEqual({
      ok: false,
      why: "dearer",
      errors: { pickupCenter: messages.addressing.dearer("₦5,600", "₦3,200") },
    });
    expect(await addressOf(reference)).toMatchObject({ pickupCenter: "Surulere" });
  });

  test("if lower, no difference is refunded", async () => {
    const { user, reference } = await toOgun();
    expect(await change(user, reference, { state: "Lagos" })).toEqual({ ok: true });
    expect(await addressOf(reference)).toMatchObject({ state: "Lagos", location: "Lagos", shippingCost: "4.50" });
    const refunds = db().selectFrom("refunds").select("id").where("reference", "=", reference);
    expect(await refunds.execute()).toEqual([]);
    expect(await salesOf(user)).toMatchObject([{ shippingCents: 450 }]);
  });

  test("is not compared within the same state, whatever it is today", async () => {
    const { user, reference } = await sold();
    const setRate = (rateCents: number) =>
      db().updateTable("shippingRates").set({ rateCents }).where("kind", "=", "state").where("name", "=", "Lagos");
    await setRate(900).execute();
    onTestFinished(async () => void (await setRate(350).execute()));
    expect(await change(user, reference)).toEqual({ ok: true });
    expect(await addressOf(reference)).toMatchObject(MOVED);
  });
});

test("country and way of delivery stay, whatever is posted", async () => {
  const { user, reference } = await sold();
  const posted = { ...MOVED, country: "Ghana", deliveryType: PICK_UP, pickupCenter: "Yaba" };
  expect(await change(user, reference, posted)).toEqual({ ok: true });
  const { country, deliveryType } = lagosForm;
  expect(await addressOf(reference)).toMatchObject({ ...MOVED, country, deliveryType, pickupCenter: "" });
});

test("an address abroad can change to any place in its country", async () => {
  const ghana = { country: "Ghana", city: "Accra", localGovernment: "", phoneNumber: "+233241234567" };
  const { user, reference } = await sold({ ...ghana, deliveryType: "", state: "" }, { kind: "abroad", country: "GH" });
  const moved = { address: "4 Ring Road", city: "Tema" };
  expect(await change(user, reference, { ...moved, phoneNumber: "+233 24 123 4567" })).toEqual({ ok: true });
  expect(await addressOf(reference)).toMatchObject({ ...moved, country: "Ghana", location: "Ghana", deliveryType: "" });
});

test("fields with errors change nothing, and are named", async () => {
  const { user, reference } = await sold();
  expect(await change(user, reference, { ...MOVED, phoneNumber: "123", lastName: "" })).toEqual({
    ok: false,
    why: "fields",
    errors: { phoneNumber: expect.any(String), lastName: expect.any(String) },
  });
  expect(await addressOf(reference)).toMatchObject({ address: lagosForm.address });
  expect(await mailsAbout(reference)).toEqual(NO_MAIL);
});

describe("a form that is sent more than once", () => {
  test("is one change and one mail, though it has the old place's landmark", async () => {
    const { user, reference } = await sold({ landmark: "the old mosque" });
    const form = { ...MOVED, landmark: "the old mosque", version: await versionOf(user, reference) };
    const said = await Promise.all([1, 2, 3].map(() => change(user, reference, form)));
    said.push(await change(user, reference, form));
    expect(said).toEqual([1, 2, 3, 4].map(() => ({ ok: true })));
    expect(await addressOf(reference)).toMatchObject({ ...MOVED, landmark: "" });
    expect(await mailsAbout(reference)).toEqual(ONE_MAIL);
  });

  test("is no change if the address stays the same", async () => {
    const { user, reference } = await sold();
    expect(await change(user, reference, {})).toEqual({ ok: true });
    expect(await mailsAbout(reference)).toEqual(NO_MAIL);
  });

  test("twenty times while the order is packed sends it to the address of the only mail", async () => {
    for (let round = 0; round < 5; round++) {
      const { user, reference } = await sold();
      const presses = Array.from({ length: 20 }, () => () => change(user, reference));
      const work: (() => Promise<{ ok: boolean }>)[] = presses;
      work.splice(round * 4, 0, () => markPacked(db(), reference));
      const said = await Promise.all(work.map((does) => does()));
      expect(said[round * 4]).toMatchObject({ ok: true });
      const isMoved = said.some(({ ok }, at) => ok && at !== round * 4);
      expect((await addressOf(reference)).address).toBe(isMoved ? MOVED.address : lagosForm.address);
      expect(await mailsAbout(reference)).toEqual(isMoved ? ONE_MAIL : NO_MAIL);
      expect(await change(user, reference, { address: "9 Allen Avenue" })).toEqual(refused("too-late"));
    }
  });
});

describe("at the same time as staff", () => {
  test("staff who still see the old address are told before they pack the order", async () => {
    const { user, reference, number } = await sold();
    const seen = (await viewOrder(db(), number))?.version ?? "";
    await change(user, reference);
    const pack = (version: string) => changeOrder(db(), BISI, "orders pack", reference, version);
    expect(await pack(seen)((trx) => markPacked(trx, reference))).toMatchObject({
      ok: false,
      since: [{ by: "the shopper", action: "orders address" }],
    });
    const now = (await viewOrder(db(), number))?.version ?? "";
    expect(await pack(now)((trx) => markPacked(trx, reference))).toMatchObject({ ok: true });
  });

  test("a change by staff since the form was opened: the shopper is asked to check the address", async () => {
    const { user, reference } = await sold();
    const version = await versionOf(user, reference);
    await changeAddress(db(), BISI, reference, new URLSearchParams({ ...lagosForm, phoneNumber: "08039999999" }));
    const asked = await change(user, reference, { ...MOVED, version });
    expect(asked).toEqual({ ...refused("stale"), version: await versionOf(user, reference) });
    expect(await addressOf(reference)).toMatchObject({ address: lagosForm.address, phoneNumber: "08039999999" });
    const again = { ...MOVED, version: await versionOf(user, reference) };
    expect(await change(user, reference, again)).toEqual({ ok: true });
    expect(await addressOf(reference)).toMatchObject(MOVED);
  });
});

describe("a change is too late", () => {
  test.each<[string, (reference: string) => Promise<Done | undefined>]>([
    ["once it is packed", (reference) => markPacked(db(), reference)],
    ["once it is sent, even if it was never marked as packed", (reference) => markSent(db(), reference)],
  ])("%s", async (_, done) => {
    const { user, reference } = await sold();
    expect(await done(reference)).toMatchObject({ ok: true });
    expect(await change(user, reference)).toEqual(refused("too-late"));
    expect(await addressOf(reference)).toMatchObject({ address: lagosForm.address });
  });

  test("once it is cancelled", async () => {
    const { user, reference } = await sold();
    await cancelOwnOrder(db(), user.id, reference);
    expect(await change(user, reference)).toEqual(refused("given-back"));
  });
});

describe("a shopper is told to ask staff", () => {
  test("while the bank may take the money back", async () => {
    const { user, reference } = await sold();
    await recordIssue(db(), reference, "dispute");
    expect(await change(user, reference)).toEqual(refused("ask"));
  });

  test("once all pieces are refunded, so that nothing is left to send", async () => {
    const { user, reference, productId } = await sold();
    await refundWished(db(), reference, { pieces: [{ productId, size: "M", quantity: 1 }], restock: true });
    expect(await change(user, reference)).toEqual(refused("ask"));
  });

  test("about an order of another shop if it is unknown whether it was sent", async () => {
    const { user, reference } = await sold();
    await sql`update outbox set kind = 'moved-in' where idempotency_key = (
      select 'sale:' || id from sales where reference = ${reference})`.execute(db());
    expect(await change(user, reference)).toEqual(refused("ask"));
  });
});

test("nobody changes the order of another account, or one that is not paid", async () => {
  const { reference } = await sold();
  const stranger = await makeShopper(db());
  expect(await change(stranger, reference)).toEqual(refused("not-sold"));
  expect(await addressOf(reference)).toMatchObject({ address: lagosForm.address });
  const productId = await makeProduct(db(), { M: 5 });
  const user = await makeShopper(db(), { productId, size: "M" });
  expect(await change(user, (await open(user)).reference)).toEqual(refused("not-sold"));
});
