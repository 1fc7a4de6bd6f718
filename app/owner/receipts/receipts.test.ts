import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { lockNumbers } from "#app/orders/receipts/lock.server.ts";
import { readReceipt, receiptNumberOf } from "#app/orders/receipts/receipt.server.ts";
import { receiptNumber } from "#app/orders/receipts/receipt.ts";
import { giveByHand } from "#app/payments/by-hand/give.server.ts";
import { reviewRefunds } from "#app/payments/refunds/refunds.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { type Crash, Crashed, crashingDb } from "#tests/support/crashing-db.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { forgetReceipts, numberAll, RECEIPTS, setReceipts } from "#tests/support/receipts.ts";
import { arrived, OFFICE } from "#tests/support/returns.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { paidByHand, staffOrder } from "#tests/support/staff-order.ts";
import { shopDay } from "../shop-time.server.ts";
import { endTrial } from "../trial/end.server.ts";
import { numberDue, numberReceipts, startNumbering, vatRates } from "./number.server.ts";
import { changeReceipts, receiptSettings, removeVatRate, setVatRate } from "./settings.server.ts";

const { db, url, provider, oneBuyer, catchUp } = useCheckout({ max: 30 });
const SUM = 8_558_400;

beforeEach(withinOneDay);
beforeEach(() => forgetReceipts(db()));

async function sold() {
  const { user, payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  return { user, reference: payment.reference };
}

/** Gives a part of a sale back, or all that is left. */
async function givenBack(reference: string, kobo?: number): Promise<void> {
  expect(await refundWished(db(), reference, { kobo })).toMatchObject({ ok: true });
  await catchUp(reference);
  provider.finishRefunds("processed", reference);
  await catchUp(reference);
}

/** The numbers of these sales' receipts in this year; undefined where a sale has none. */
const numbersOf = (...sales: { reference: string }[]) =>
  Promise.all(sales.map(async ({ reference }) => (await readReceipt(db(), reference))?.number));
const year = () => Number(shopDay().slice(0, 4));
const ofYear = (...numbers: number[]) => numbers.map((number) => receiptNumber(year(), number));
const dueRows = () => db().selectFrom("receiptsDue").selectAll().orderBy("id").execute();
const all = () => db().selectFrom("receipts").selectAll().orderBy("year").orderBy("number").execute();

/** Moves a sale to another time, and the beginning of the numbers before it. */
async function soldAt(at: string): Promise<{ reference: string }> {
  const sale = await sold();
  await db().updateTable("receiptSettings").set({ since: "2000-01-01T00:00:00Z" }).execute();
  await db().updateTable("sales").set({ createdAt: at }).where("reference", "=", sale.reference).execute();
  return sale;
}

describe("numbers", () => {
  test("begin when receipts are switched on, and follow the sales' time", async () => {
    const before = await sold();
    await setReceipts(db());
    const sales = [await sold(), await sold(), await sold()];
    expect(await numbersOf(...sales)).toEqual([undefined, undefined, undefined]); // none within the sale
    await numberAll(db());
    expect(await numbersOf(before, ...sales)).toEqual([undefined, ...ofYear(1, 2, 3)]);
    expect(await dueRows()).toEqual([]);
  });

  test("of a sale that commits late are the next ones, whatever its time", async () => {
    await setReceipts(db());
    const first = await sold();
    await numberAll(db());
    const late = await soldAt("2020-01-01T12:00:00Z");
    await db()
      .updateTable("sales")
      .set({
        createdAt: sql<Date>`(select created_at - interval '1 ms' from sales where reference = ${first.reference})`,
      })
      .where("reference", "=", late.reference)
      .execute();
    await numberAll(db());
    expect(await numbersOf(first, late)).toEqual(ofYear(1, 2));
  });

  test("F69 are drawn once each by twenty workers at once, without a gap", async () => {
    await setReceipts(db());
    const sales = [];
    for (let at = 0; at < 12; at++) sales.push(await sold());
    await givenBack(sales[0]?.reference ?? "", 100_000);
    await Promise.all(Array.from({ length: 20 }, () => numberReceipts(db(), new Set())));
    await numberAll(db());
    expect(await numbersOf(...sales)).toEqual(ofYear(...sales.map((_, at) => at + 1)));
    expect(await db().selectFrom("creditNotes").select(["year", "number"]).execute()).toEqual([
      { year: year(), number: 1 },
    ]);
  });

  test("count from 1 in each year of the shop's zone", async () => {
    await setReceipts(db());
    const sales = [await soldAt("2024-12-31T22:59:59Z"), await soldAt("2024-12-31T23:00:00Z")];
    sales.push(await soldAt("2025-06-01T12:00:00Z"));
    await numberAll(db());
    expect(await numbersOf(...sales)).toEqual(["2024-000001", "2025-000001", "2025-000002"]);
  });

  test("are drawn by themselves, within a second or two", async () => {
    await setReceipts(db());
    const stop = startNumbering(db());
    try {
      const sale = await sold();
      await expect.poll(() => numbersOf(sale)).toEqual(ofYear(1));
    } finally {
      await stop();
    }
  });
});

test("F69 a sale whose receipt can't be made leaves the others theirs, and gets the next number once it can be", async () => {
  await setReceipts(db());
  const [broken, whole] = [await sold(), await sold()];
  const setShipping = (shipping: RawBuilder<string>) =>
    db().updateTable("sales").set({ shipping }).where("reference", "=", broken.reference).execute();
  await setShipping(sql<string>`jsonb_build_object('was', shipping, 'country', 5)`);
  await givenBack(broken.reference, 100_000);
  await givenBack(whole.reference, 100_000);
  const stop = startNumbering(db());
  try {
    await expect.poll(async () => (await readReceipt(db(), whole.reference))?.credits).toHaveLength(1);
    const next = await sold();
    await expect.poll(() => numbersOf(broken, whole, next)).toEqual([undefined, ...ofYear(1, 2)]);
  } finally {
    await stop();
  }
  expect(await dueRows()).toMatchObject([{ refundId: null }, { saleId: null }]); // of the broken one
  await setReceipts(db(), { tin: "1" });
  await setShipping(sql<string>`shipping -> 'was'`);
  await numberAll(db());
  expect(await readReceipt(db(), broken.reference)).toMatchObject({
    number: ofYear(3)[0],
    seller: { tin: "1" },
    credits: [{ kobo: 100_000 }],
  });
  expect(await dueRows()).toEqual([]);
});

describe.each<Crash>(["before", "after"])("F69 a worker that is killed %s any statement", (how) => {
  test("leaves no gap, no number twice and no sale twice", async () => {
    await setReceipts(db());
    const sales: { reference: string }[] = [];
    for (let at = 1; ; at++) {
      const sale = await sold();
      sales.push(sale);
      await numberAll(db());
      await givenBack(sale.reference, 100_000);
      const next = await sold();
      sales.push(next);
      const dying = crashingDb(url(), at, how);
      await numberReceipts(dying.db, new Set()).catch((error) => {
        if (!(error instanceof Crashed)) throw error;
      });
      await dying.db.destroy();
      await numberAll(db());
      expect(await numbersOf(...sales)).toEqual(ofYear(...sales.map((_, index) => index + 1)));
      const notes = await db().selectFrom("creditNotes").select("number").orderBy("number").execute();
      expect(notes.map(({ number }) => number)).toEqual(Array.from({ length: at }, (_, index) => index + 1));
      expect(await dueRows()).toEqual([]);
      if (!dying.crashed()) {
        expect(at).toBeGreaterThan(8);
        return;
      }
    }
  });
});

describe("what a receipt says", () => {
  test("is fixed when it is numbered", async () => {
    await setReceipts(db());
    await setVatRate(db(), OFFICE, { fromDay: "2020-01-01", tenths: 75 });
    const first = await sold();
    await numberAll(db());
    const receipt = await readReceipt(db(), first.reference);
    expect(receipt).toMatchObject({
      seller: { name: RECEIPTS.seller, address: RECEIPTS.address, tin: RECEIPTS.tin, showsVat: true },
      buyer: ["Ada Obi", "1 Broad Street", "Lagos Island", "Lagos", "Nigeria"],
      contents: {
        lines: [{ title: "Home Jersey", color: "Green", size: "M", quantity: 1, cents: 4999, kobo: 7_998_400 }],
        deliveryKobo: 560_000,
        isAbroad: false,
      },
      kobo: SUM,
      vatTenths: 75,
      vatKobo: 597_098,
      isTest: true,
    });
    await setReceipts(db(), { seller: "Another Limited", tin: "", showsVat: false });
    await setVatRate(db(), OFFICE, { fromDay: "2020-01-01", tenths: 100 });
    const second = await sold();
    await numberAll(db());
    expect(await readReceipt(db(), first.reference)).toEqual(receipt);
    expect(await readReceipt(db(), second.reference)).toMatchObject({
      seller: { name: "Another Limited", tin: "", showsVat: false },
      vatTenths: 100,
    });
  });

  test("is the rate of VAT of the sale's own day, and none before the first one", async () => {
    await setReceipts(db());
    await setVatRate(db(), OFFICE, { fromDay: "2025-02-01", tenths: 75 });
    await setVatRate(db(), OFFICE, { fromDay: "2025-07-01", tenths: 100 });
    const days = ["2025-01-31T22:59:59Z", "2025-01-31T23:00:00Z", "2025-06-30T22:59:59Z", "2025-06-30T23:00:00Z"];
    for (const at of days) await soldAt(at);
    await numberAll(db());
    expect((await all()).map(({ vatTenths, vatKobo }) => [vatTenths, Number(vatKobo)])).toEqual([
      [null, 0],
      [75, 597_098],
      [75, 597_098],
      [100, 778_036],
    ]);
  });

  test("is 0% of VAT for a parcel abroad, and the same sum", async () => {
    await setReceipts(db());
    await setVatRate(db(), OFFICE, { fromDay: "2020-01-01", tenths: 75 });
    const sale = await sold();
    const shipping = sql<string>`shipping || '{"country": "Ghana"}'`;
    await db().updateTable("sales").set({ shipping }).where("reference", "=", sale.reference).execute();
    await numberAll(db());
    expect(await readReceipt(db(), sale.reference)).toMatchObject({
      kobo: SUM,
      vatTenths: 0,
      vatKobo: 0,
      contents: { isAbroad: true },
    });
  });

  test("includes how it was paid, and a refund by hand once a member has given it", async () => {
    await setReceipts(db());
    const order = await staffOrder(db(), await makeShopper(db()), await makeProduct(db(), { M: 8 }));
    const reference = await paidByHand(db(), order, { means: "terminal" });
    await refundWished(db(), reference);
    await catchUp(reference);
    await numberAll(db());
    expect(await readReceipt(db(), reference)).toMatchObject({ paidBy: "Card terminal", credits: [] });
    expect(await giveByHand(db(), reference, { agreedKobo: order.kobo, by: "bisi" })).toMatchObject({ ok: true });
    await numberAll(db());
    expect(await readReceipt(db(), reference)).toMatchObject({ credits: [{ kobo: order.kobo }] });
  });

  test("names a customer who has no account, whose order was paid by hand", async () => {
    await setReceipts(db());
    const email = `${crypto.randomUUID()}@example.com`;
    const reference = await paidByHand(db(), await staffOrder(db(), { email }, await makeProduct(db(), { M: 8 })));
    await numberAll(db());
    expect((await readReceipt(db(), reference))?.buyer).toContain("Ada Obi");
  });

  test("loses name and address with the account, and keeps the rest", async () => {
    await setReceipts(db());
    const sale = await sold();
    await numberAll(db());
    const receipt = await readReceipt(db(), sale.reference);
    await arrived(db(), sale.reference);
    expect(await deleteCustomer(db(), sale.user.id)).toEqual({ ok: true });
    expect(await readReceipt(db(), sale.reference)).toEqual({ ...receipt, buyer: null });
  });

  test("has no name and address of an account that goes before its number is drawn", async () => {
    await setReceipts(db());
    const sale = await sold();
    await arrived(db(), sale.reference);
    expect(await deleteCustomer(db(), sale.user.id)).toEqual({ ok: true });
    await numberAll(db());
    expect(await readReceipt(db(), sale.reference)).toMatchObject({ buyer: null });
  });

  test("has no name and address of an account that is deleted while its number is drawn", async () => {
    await setReceipts(db());
    const sale = await sold();
    await arrived(db(), sale.reference);
    const drawing = await db().startTransaction().execute();
    await lockNumbers(drawing);
    expect(await numberDue(drawing, new Set())).toBe(1);
    const deleting = deleteCustomer(db(), sale.user.id);
    await expect.poll(() => countBlocked(db())).toBe(1);
    await drawing.commit().execute();
    expect(await deleting).toEqual({ ok: true });
    expect(await readReceipt(db(), sale.reference)).toMatchObject({ buyer: null });
  });
});

describe("credit notes", () => {
  test("are one for each refund that is done, also for a plain sum, and come to the receipt's sum and VAT", async () => {
    await setReceipts(db());
    await setVatRate(db(), OFFICE, { fromDay: "2020-01-01", tenths: 75 });
    const { reference } = await sold();
    await numberAll(db());
    await givenBack(reference, 100_000);
    await numberAll(db());
    await givenBack(reference, 333_333);
    await givenBack(reference);
    await numberAll(db());
    const receipt = await readReceipt(db(), reference);
    const numbers = ofYear(1, 2, 3).map((number) => `CN-${number}`);
    expect(receipt?.credits.map(({ number }) => number)).toEqual(numbers);
    expect(receipt?.credits.map(({ kobo }) => kobo)).toEqual([100_000, 333_333, SUM - 433_333]);
    expect(receipt?.credits.reduce((sum, { vatKobo }) => sum + vatKobo, 0)).toBe(597_098);
    expect(receipt?.credits[2]?.parts).toEqual(["1 × Home Jersey, Green, M", "Delivery"]);
    expect(receipt?.kobo).toBe(SUM); // as it was
  });

  test("wait until the refund is done", async () => {
    await setReceipts(db());
    const { reference } = await sold();
    await refundWished(db(), reference, { kobo: 100_000 });
    await numberAll(db());
    expect((await readReceipt(db(), reference))?.credits).toEqual([]);
    await catchUp(reference);
    provider.finishRefunds("processed", reference);
    await catchUp(reference);
    await numberAll(db());
    expect((await readReceipt(db(), reference))?.credits).toMatchObject([{ kobo: 100_000 }]);
  });

  test("are two for a refund that the provider corrects upwards later", async () => {
    await setReceipts(db());
    const { reference } = await sold();
    provider.refundByHand(reference, 100_000);
    const [made] = provider.refundsOf(reference);
    for (const amount of [100_000, 250_000, 250_000]) {
      Object.assign(made ?? {}, { amount });
      await reviewRefunds(db(), reference);
      await numberAll(db());
    }
    const credits = (await readReceipt(db(), reference))?.credits;
    expect(credits?.map(({ kobo }) => kobo)).toEqual([100_000, 150_000]);
    expect(await dueRows()).toEqual([]);
  });

  test("are none for a sale without a receipt", async () => {
    const { reference } = await sold();
    await setReceipts(db());
    await givenBack(reference, 100_000);
    await numberAll(db());
    expect(await db().selectFrom("creditNotes").selectAll().execute()).toEqual([]);
    expect(await dueRows()).toEqual([]);
  });
});

describe("switched off", () => {
  test("no sale and no refund gets a number, and nothing is taken back", async () => {
    await setReceipts(db());
    const sale = await sold();
    await setReceipts(db(), { isOn: false }); // the sale was made before, and gets its number
    expect(await numbersOf(sale)).toEqual(ofYear(1));
    const unnumbered = await sold();
    await givenBack(sale.reference, 100_000);
    await numberAll(db());
    expect(await numbersOf(sale, unnumbered)).toEqual([...ofYear(1), undefined]);
    expect((await readReceipt(db(), sale.reference))?.credits).toEqual([]);
    await setReceipts(db()); // on again: the refund gets its credit note, the sale of meanwhile stays without
    const next = await sold();
    await numberAll(db());
    expect(await numbersOf(sale, unnumbered, next)).toEqual([...ofYear(1), undefined, ...ofYear(2)]);
    expect((await readReceipt(db(), sale.reference))?.credits).toHaveLength(1);
  });

  test("at first: a shop that never switched it on has nothing", async () => {
    const { reference } = await sold();
    await numberAll(db());
    expect(await readReceipt(db(), reference)).toBeUndefined();
    expect(await dueRows()).toEqual([]);
  });
});

test("a sale of a trial and an imported one get no number, and leave no gap", async () => {
  await setReceipts(db());
  const [trial, imported, usual] = [await sold(), await sold(), await sold()];
  const idOf = ({ reference }: { reference: string }) =>
    sql<string>`(select id from sales where reference = ${reference})`;
  const ofTrial = sql<string>`(select order_id from sales where reference = ${trial.reference})`;
  await db().updateTable("orders").set({ trial: true }).where("id", "=", ofTrial).execute();
  const mail = db()
    .updateTable("outbox")
    .where("idempotencyKey", "=", sql<string>`'sale:' || ${idOf(imported)}`);
  await mail.set({ kind: "moved-in" }).execute();
  await numberAll(db());
  expect(await numbersOf(trial, imported, usual)).toEqual([undefined, undefined, ...ofYear(1)]);
  expect(await dueRows()).toEqual([]);
  await mail.set({ kind: "order-confirmation" }).execute();
});

describe("settings", () => {
  test("of somebody else are not overwritten, and the same again changes nothing", async () => {
    await setReceipts(db());
    const { version } = await receiptSettings(db());
    expect(await changeReceipts(db(), OFFICE, { ...RECEIPTS, tin: "1" }, version)).toEqual({ ok: true, version: 2 });
    expect(await changeReceipts(db(), OFFICE, { ...RECEIPTS, tin: "2" }, version)).toEqual({
      ok: false,
      isStale: true,
      version: 2,
    });
    expect(await changeReceipts(db(), OFFICE, { ...RECEIPTS, tin: "1" }, version)).toEqual({ ok: true, version: 2 });
    expect((await receiptSettings(db())).tin).toBe("1");
  });

  test("a rate is removed only before its day, and another one from the same day takes its place", async () => {
    const tomorrow = shopDay(-1);
    for (const fromDay of [shopDay(), tomorrow]) await setVatRate(db(), OFFICE, { fromDay, tenths: 75 });
    await setVatRate(db(), OFFICE, { fromDay: tomorrow, tenths: 80 });
    expect((await vatRates(db()))[0]).toEqual({ fromDay: tomorrow, tenths: 80 });
    expect(await removeVatRate(db(), OFFICE, shopDay())).toBe(false);
    expect(await removeVatRate(db(), OFFICE, tomorrow)).toBe(true);
    expect(await vatRates(db())).toEqual([{ fromDay: shopDay(), tenths: 75 }]);
  });
});

describe("go-live", () => {
  afterAll(async () => {
    await db().deleteFrom("liveShop").execute();
  });

  test("deletes the numbers of the trial", async () => {
    await setReceipts(db());
    const trial = await sold();
    await givenBack(trial.reference, 100_000);
    await numberAll(db());
    await sold(); // due, not numbered yet
    await endTrial(db(), OFFICE);
    expect([await all(), await dueRows()]).toEqual([[], []]);
    const sale = db().selectFrom("sales").select("id").where("reference", "=", trial.reference);
    expect(await receiptNumberOf(db(), (await sale.executeTakeFirstOrThrow()).id)).toBeUndefined();
  });
});
