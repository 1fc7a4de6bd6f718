vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { vatRates } from "#app/owner/receipts/number.server.ts";
import { receiptSettings } from "#app/owner/receipts/settings.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { pdfPages } from "#tests/support/pdf.ts";
import { forgetReceipts, numberAll, RECEIPTS, setReceipts } from "#tests/support/receipts.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, provider, oneBuyer, catchUp } = useCheckout();
const ask = useOfficePages();
let cookies: string[];

beforeAll(async () => {
  ({ cookies } = await staffWithPasskey(db(), "owner"));
});
beforeEach(withinOneDay);
beforeEach(() => forgetReceipts(db()));

const PATH = "/money/receipts";
const { isOn: _, showsVat: __, ...VALUES } = RECEIPTS;
const FORM = { ...VALUES, isOn: "on", showsVat: "on", version: "0" };
const save = (form: Record<string, string>) => ask(PATH, cookies, { intent: "save", ...form });
const rate = (form: Record<string, string>) => ask(PATH, cookies, { intent: "rate", ...form });
const shownIn = ({ fields }: OfficePage, name: string) => fields.find((field) => field.name === name)?.value;
const isTicked = ({ fields }: OfficePage, name: string) =>
  "checked" in (fields.find((field) => field.name === name) ?? {});

async function sold() {
  const { payment } = await oneBuyer();
  provider.pay(payment.reference);
  await settlePayment(payment.reference);
  const order = db().selectFrom("orders").select("number").where("id", "=", payment.orderId);
  return { reference: payment.reference, number: (await order.executeTakeFirstOrThrow()).number };
}

describe("the screen", () => {
  test("is off at first, assumes no rate and offers 7.5", async () => {
    const page = await ask(PATH, cookies);
    expect(page.text).toContain("Off: sales get no number");
    expect(page.text).toContain("None yet. Until one counts, receipts say nothing about VAT.");
    expect([isTicked(page, "isOn"), shownIn(page, "percent")]).toEqual([false, "7.5"]);
    expect((await ask("/money", cookies)).links).toContain(PATH);
  });

  test("switches receipts on and off, without script, and writes down who did it", async () => {
    const saved = await save(FORM);
    expect([saved.status, saved.text.includes("Saved.")]).toEqual([200, true]);
    expect(await receiptSettings(db())).toMatchObject({ ...RECEIPTS, version: 1 });
    const page = await ask(PATH, cookies);
    expect(page.text).toContain("On since");
    expect([isTicked(page, "isOn"), shownIn(page, "seller")]).toEqual([true, RECEIPTS.seller]);
    const { isOn: _on, ...off } = FORM;
    expect((await save({ ...off, version: "1" })).status).toBe(200);
    expect(await receiptSettings(db())).toMatchObject({ isOn: false, version: 2 });
    const audit = db().selectFrom("auditLog").select(["before", "after"]).where("action", "=", "receipts set");
    const [row] = await audit.orderBy("id", "desc").execute();
    expect(row).toMatchObject({ before: { isOn: true }, after: { isOn: false } });
  });

  test.each<[string, Record<string, string>, string]>([
    ["no seller", { seller: " " }, "Receipts need the seller’s name"],
    ["no address", { address: "\r\n" }, "Receipts need the seller’s address"],
    ["a seller that is too long", { seller: "x".repeat(101) }, "At most 100 letters"],
    ["too many lines", { address: "a\nb\nc\nd\ne\nf" }, "At most 5 lines"],
    ["a line that is too long", { address: "x".repeat(61) }, "At most 60 letters in a line"],
    ["a tax number that is too long", { tin: "1".repeat(41) }, "At most 40 letters"],
  ])("refuses %s beside its field, and nothing typed is lost", async (_name, form, problem) => {
    const refused = await save({ ...FORM, ...form });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(problem);
    const [field = ""] = Object.keys(form);
    if (field !== "address")
      expect(refused.fields.find(({ name }) => name === field)).toHaveProperty("aria-invalid", "true");
    for (const name of ["seller", "tin"] as const) {
      const typed: Record<string, string> = { ...FORM, ...form };
      expect(shownIn(refused, name)).toBe(typed[name]);
    }
    expect(isTicked(refused, "isOn")).toBe(true);
    expect(await receiptSettings(db())).toMatchObject({ isOn: false, version: 0 });
  });

  test("without a seller it is saved as long as it is off", async () => {
    const { isOn: _on, ...off } = FORM;
    expect((await save({ ...off, seller: "", address: "" })).status).toBe(200);
  });

  test("shows what somebody else has saved meanwhile, and saves the own on the next press", async () => {
    await setReceipts(db(), { tin: "42" });
    const refused = await save(FORM);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Somebody else has changed this.");
    expect(refused.text).toContain("; 42; with VAT");
    expect(shownIn(refused, "tin")).toBe(RECEIPTS.tin);
    expect((await save({ ...FORM, version: shownIn(refused, "version") ?? "" })).status).toBe(200);
    expect((await receiptSettings(db())).tin).toBe(RECEIPTS.tin);
  });
});

describe("rates of VAT", () => {
  test("are set from a day on, listed, and removed before their day", async () => {
    const [today, tomorrow] = [shopDay(), shopDay(-1)];
    expect((await rate({ percent: "7,5 %", fromDay: today })).status).toBe(200);
    const set = await rate({ percent: "10", fromDay: tomorrow });
    expect(set.text).toContain(`10% from ${tomorrow} on.`);
    expect(await vatRates(db())).toEqual([
      { fromDay: tomorrow, tenths: 100 },
      { fromDay: today, tenths: 75 },
    ]);
    const page = await ask(PATH, cookies);
    expect(page.forms.filter(({ intents }) => intents.includes("remove"))).toHaveLength(1);
    expect((await ask(PATH, cookies, { intent: "remove", fromDay: tomorrow })).status).toBe(200);
    expect((await ask(PATH, cookies, { intent: "remove", fromDay: today })).status).toBe(422);
    expect(await vatRates(db())).toEqual([{ fromDay: today, tenths: 75 }]);
  });

  test.each<[Record<string, string>, string, string]>([
    [{ percent: "" }, "percent", "Percent from 0 to 30, like 7.5"],
    [{ percent: "30.1" }, "percent", "Percent from 0 to 30, like 7.5"],
    [{ percent: "7.55" }, "percent", "Percent from 0 to 30, like 7.5"],
    [{ percent: "-1" }, "percent", "Percent from 0 to 30, like 7.5"],
    [{ percent: "much" }, "percent", "Percent from 0 to 30, like 7.5"],
    [{ fromDay: "" }, "fromDay", "Enter a day"],
    [{ fromDay: "2026-02-31" }, "fromDay", "Enter a day"],
  ])("refuse %j beside its field, and nothing typed is lost", async (form, field, problem) => {
    const typed: Record<string, string> = { percent: "7.5", fromDay: "2026-03-01", ...form };
    const refused = await rate(typed);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(problem);
    expect(refused.fields.find(({ name }) => name === field)).toHaveProperty("aria-invalid", "true");
    for (const [name, value] of Object.entries(typed)) expect(shownIn(refused, name)).toBe(value);
    expect(await vatRates(db())).toEqual([]);
  });
});

describe("an order", () => {
  test("names its receipt, which is printed with its credit notes; without one there is no such page", async () => {
    const before = await sold();
    await setReceipts(db());
    const { number, reference } = await sold();
    await numberAll(db());
    await refundWished(db(), reference, { kobo: 100_000 });
    await catchUp(reference);
    provider.finishRefunds("processed", reference);
    await catchUp(reference);
    await numberAll(db());
    const receipt = `${shopDay().slice(0, 4)}-000001`;
    const page = await ask(`/orders/${number}`, cookies);
    expect(page.text).toContain(`Receipt ${receipt}`);
    expect(page.links).toContain(`/orders/${number}/receipt`);
    const printed = await ask(`/orders/${number}/receipt`, cookies);
    for (const part of [receipt, RECEIPTS.seller, "Ada Obi", "₦85,584", `CN-${receipt}`, "₦1,000"])
      expect(printed.text).toContain(part);
    const file = `/orders/${number}/receipt.pdf`;
    for (const [path, title] of [
      [file, `Receipt ${receipt}`],
      [`${file}?credit=CN-${receipt}`, `Credit note CN-${receipt}`],
    ] as const) {
      expect(printed.links).toContain(path);
      const pdf = await ask(path, cookies);
      expect(pdf.status).toBe(200);
      expect((await pdfPages(pdf.bytes)).join()).toContain(title);
    }
    expect((await ask(`/orders/${before.number}/receipt.pdf`, cookies)).status).toBe(404);
    expect((await ask(`/orders/${before.number}`, cookies)).links).not.toContain(`/orders/${before.number}/receipt`);
    expect((await ask(`/orders/${before.number}/receipt`, cookies)).status).toBe(404);
  });

  test("shows a packer no receipt", async () => {
    await setReceipts(db());
    const { number } = await sold();
    await numberAll(db());
    const packer = await staffWithPasskey(db(), "packer");
    expect((await ask(`/orders/${number}`, packer.cookies)).links).not.toContain(`/orders/${number}/receipt`);
    for (const path of ["receipt", "receipt.pdf"])
      expect((await ask(`/orders/${number}/${path}`, packer.cookies)).status).toBe(403);
  });
});
