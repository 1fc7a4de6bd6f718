vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { drawReceipt } from "#app/orders/receipts/pdf/draw.server.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { invoiceXml } from "#app/orders/receipts/ubl.server.ts";
import { setVatRate } from "#app/owner/receipts/settings.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { pdfPages, sheetText } from "#tests/support/pdf.ts";
import { forgetReceipts, numberAll, setReceipts } from "#tests/support/receipts.ts";
import { arrived } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";
import { ublFaults } from "#tests/support/ubl.ts";

const { db, provider, open, url, catchUp } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });

let user: Shopper;
let reference: string;
let cookie: string;
let number: string;

beforeEach(withinOneDay);

/** A shopper, signed in, who has paid for two jerseys in a shop with receipts. */
beforeEach(async () => {
  await forgetReceipts(db());
  await setReceipts(db());
  await setVatRate(db(), OWNER, { fromDay: "2020-01-01", tenths: 75 });
  number = `${shopDay().slice(0, 4)}-000001`;
  user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 20 }), size: "M", quantity: 2 });
  ({ reference } = await open(user));
  provider.pay(reference);
  await settlePayment(reference);
  cookie = await cookieOf(user);
});

const pages = shopPages(shop);
const ask = (path: string, as = cookie) => pages(path, { as });

const order = () => `/order/${reference}`;
const page = () => `${order()}/receipt`;

async function givenBack(kobo?: number): Promise<void> {
  await refundWished(db(), reference, { kobo });
  await catchUp(reference);
  provider.finishRefunds("processed", reference);
  await catchUp(reference);
  await numberAll(db());
}

test("the order's page leads to the receipt at once; until it has a number, the receipt's page waits", async () => {
  expect((await ask(order())).text).toContain(`href="${page()}"`);
  const waiting = await ask(page());
  expect([waiting.status, waiting.text.includes("Your receipt is almost ready")]).toEqual([200, true]);
  expect(waiting.text).toContain("Check again");
  await numberAll(db());
  expect((await ask(order())).text).toContain(`href="${page()}"`);
  expect((await ask(page())).text).not.toContain("Your receipt is almost ready");
});

test("the receipt says who sold what to whom, the sum, and the VAT in it; nobody keeps or lists it", async () => {
  await numberAll(db());
  const { status, headers, text } = await ask(page());
  expect([status, headers.get("cache-control")]).toEqual([200, expect.stringContaining("no-store")]);
  for (const part of [
    '<meta name="robots" content="noindex"',
    "Irepo Clothing Limited",
    "Surulere, Lagos",
    "TIN 01234567-0001",
    number,
    "Ada Obi",
    "1 Broad Street",
    "Paystack",
    "2 × Home Jersey, Green, M",
    "₦159,968",
    "Delivery",
    "₦5,600",
    "Excluding VAT",
    "₦154,016.74",
    "VAT 7.5%",
    "₦11,551.26",
    "₦165,568",
    "$103.48",
    "At $1 = ₦1,600",
    "Test mode",
  ])
    expect(text, part).toContain(part);
  expect(text).not.toContain("Credit notes");
});

test("without VAT on receipts, it has the sum alone", async () => {
  await setReceipts(db(), { showsVat: false });
  await numberAll(db());
  const { text } = await ask(page());
  expect(text).toContain("₦165,568");
  for (const part of ["Excluding VAT", "VAT 7.5%"]) expect(text).not.toContain(part);
});

test("what was given back has a credit note of its own, below the receipt", async () => {
  await numberAll(db());
  await givenBack(100_000);
  await givenBack();
  const receipt = await ask(page());
  for (const note of [`CN-${number}`, `CN-${number.replace(/1$/, "2")}`])
    expect(receipt.text).toContain(`href="${page()}?credit=${note}"`);
  const first = await ask(`${page()}?credit=CN-${number}`);
  for (const part of ["Credit note", `CN-${number}`, number, "Part of the amount", "₦1,000", "₦69.77"])
    expect(first.text, part).toContain(part);
  expect(first.text).toContain("Receipt total ₦165,568. Left after this refund: ₦164,568.");
  const second = await ask(`${page()}?credit=CN-${number.replace(/1$/, "2")}`);
  expect(second.text).toContain("2 × Home Jersey, Green, M; Delivery");
  expect(second.text).toContain("Left after this refund: ₦0.");
});

describe("there is no such page", () => {
  test("for another shopper", async () => {
    await numberAll(db());
    const as = await cookieOf(await makeShopper(db()));
    const { status, text } = await ask(page(), as);
    expect([status, text.includes("Broad Street")]).toEqual([404, false]);
  });

  test("for a credit note that isn't the order's", async () => {
    await numberAll(db());
    for (const note of [`CN-${number}`, "", "x"])
      expect((await ask(`${page()}?credit=${encodeURIComponent(note)}`)).status).toBe(404);
  });

  test("for a sale that gets no receipt", async () => {
    await forgetReceipts(db());
    expect((await ask(page())).status).toBe(404);
    expect((await ask(order())).text).not.toContain(page());
  });

  test("for an order that isn't paid", async () => {
    const other = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
    const opened = await open(other);
    expect((await ask(`/order/${opened.reference}/receipt`, await cookieOf(other))).status).toBe(404);
  });
});

describe("the PDF", () => {
  const file = () => `${order()}/receipt.pdf`;

  test("says what the page says, and is a small file to download", async () => {
    await numberAll(db());
    const html = await ask(page());
    expect(html.text).toContain(`href="${file()}"`);
    const { status, headers, bytes } = await ask(file());
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="receipt-${number}.pdf"`);
    expect(headers.get("cache-control")).toContain("no-store");
    expect(bytes.length).toBeLessThan(60_000);
    const pages = await pdfPages(bytes);
    expect(pages).toEqual([sheetText(html.text)]);
    for (const part of [number, "Ada Obi", "₦165,568", "Test mode"]) expect(pages[0]).toContain(part);
  });

  test("of a credit note says what its page says", async () => {
    await numberAll(db());
    await givenBack(100_000);
    const credit = `?credit=CN-${number}`;
    const html = await ask(page() + credit);
    expect(html.text).toContain(`href="${file()}${credit}"`);
    const { headers, bytes } = await ask(file() + credit);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="credit-note-CN-${number}.pdf"`);
    const pages = await pdfPages(bytes);
    expect(pages).toEqual([sheetText(html.text)]);
    expect(pages[0]).toContain("Left after this refund");
  });

  test("has the letters of names with its own fonts; a letter that they lack is still found", async () => {
    const names = ["Adébọ̀wálé Ọ̀ṣúnṣẹ́yẹ", "Ḿmọ́ Ǹgọ̀zị́ Ụ̀kà", "Ɗan Ƙofa ƁƘƴ", "Zoë Łuć", "Ņ 中 𝒜", "Grace Ẹ̄nitàn"];
    await numberAll(db());
    await db()
      .updateTable("receipts")
      .set({ buyer: JSON.stringify(names) })
      .execute();
    const { bytes } = await ask(file());
    const [text = ""] = await pdfPages(bytes);
    const letters = (some: string) => some.normalize("NFC").replaceAll(" ", ""); // the reader adds spaces around marks
    for (const name of names) expect(letters(text)).toContain(letters(name));
    const fonts = bytes.toString("latin1").match(/\/Type \/FontDescriptor/g) ?? [];
    expect(fonts.length).toBeGreaterThan(3);
    expect(bytes.toString("latin1").match(/\/FontFile2 \d+ 0 R/g)).toHaveLength(fonts.length);
    expect(bytes.length).toBeLessThan(60_000);
  });

  test("of a long order goes on on further pages, each with its number", async () => {
    await numberAll(db());
    const receipts = db().selectFrom("receipts").select("contents");
    const { contents } = await receipts.executeTakeFirstOrThrow();
    const line = contents.lines[0];
    if (!line) throw new Error("The receipt has no lines");
    const lines = Array.from({ length: 200 }, (_, at) => ({ ...line, title: `Jersey ${at} of ${"many ".repeat(9)}` }));
    await db()
      .updateTable("receipts")
      .set({ contents: JSON.stringify({ ...contents, lines }) })
      .execute();
    const { bytes } = await ask(file());
    expect(bytes.length).toBeLessThan(60_000);
    const pages = await pdfPages(bytes);
    expect(pages.length).toBeGreaterThan(5);
    for (const [at, text] of pages.entries()) {
      expect(text).toContain(`Receipt ${number}, page ${at + 1} of ${pages.length}`);
      expect(text).toContain("Item Amount");
    }
    const whole = pages.join(" ");
    const found = [...whole.matchAll(/Jersey (\d+) of/g)].map(([, at]) => Number(at));
    expect(found).toEqual(lines.map((_, at) => at));
    expect(pages.at(-1)).toContain("Total");
  });

  test("of a credit note for a large order goes on on further pages, with all of its items", async () => {
    await numberAll(db());
    await givenBack(100_000);
    const parts = Array.from({ length: 200 }, (_, at) => `Jersey ${at} of ${"many ".repeat(9)}`);
    await db()
      .updateTable("creditNotes")
      .set({ parts: JSON.stringify(parts) })
      .execute();
    const pages = await pdfPages((await ask(`${file()}?credit=CN-${number}`)).bytes);
    expect(pages.length).toBeGreaterThan(3);
    const found = [...pages.join(" ").matchAll(/Jersey (\d+) of/g)].map(([, at]) => Number(at));
    expect(found).toEqual(parts.map((_, at) => at));
    expect(pages.join(" ").match(/₦1,000/g)).toHaveLength(2); // beside the items, and as the sum
    expect(pages.at(-1)).toContain("Left after this refund");
  });

  test("isn't made more than 60 times an hour for one account", async () => {
    await numberAll(db());
    for (let made = 0; made < 60; made++) expect((await ask(file())).status).toBe(200);
    const { status, headers } = await ask(file());
    expect([status, Number(headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  });

  test("is there for the account that ordered, also while its address isn't verified", async () => {
    await numberAll(db());
    await db().updateTable("users").set({ emailVerified: false }).where("id", "=", user.id).execute();
    expect((await ask(file())).status).toBe(200);
  });

  test("of a deleted account is there for nobody in the shop, and has no name and address for the owner", async () => {
    await numberAll(db());
    await arrived(db(), reference);
    expect(await deleteCustomer(db(), user.id)).toEqual({ ok: true });
    for (const path of [file(), `${page()}.xml`])
      expect(await ask(path)).toMatchObject({ status: 303, to: "/login?next=/account" });
    const receipt = await readReceipt(db(), reference);
    if (!receipt) throw new Error("The receipt is gone");
    const [text = ""] = await pdfPages(drawReceipt(receipt));
    for (const left of [number, "₦165,568", "2 × Home Jersey"]) expect(text).toContain(left);
    for (const whole of [text, invoiceXml(receipt)])
      for (const gone of ["Ada", "Obi", "1 Broad Street"]) expect(whole).not.toContain(gone);
  });

  test("isn't there before its number, for another shopper, or for another credit note", async () => {
    expect((await ask(file())).status).toBe(404);
    await numberAll(db());
    const as = await cookieOf(await makeShopper(db()));
    for (const answer of [await ask(file(), as), await ask(`${file()}?credit=CN-${number}`)]) {
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain("PDF");
    }
    const { status, to } = await ask(file(), "");
    expect([status, to]).toEqual([303, "/login?next=/account"]);
  });
});

describe("the UBL file", () => {
  const file = () => `${order()}/receipt.xml`;
  /** The elements of the document itself, in their order. */
  const outline = (xml: string) => {
    const names: string[] = [];
    let depth = 0;
    for (const [, end, name = ""] of xml.matchAll(/<(\/?)([\w:]+)[^>]*>/g)) {
      if (!end && depth === 1) names.push(name.replace(/^c[ab]c:/, ""));
      depth += end ? -1 : 1;
    }
    expect(depth).toBe(0);
    return names.join(" ");
  };
  const amounts = (xml: string, name: string) =>
    [...xml.matchAll(new RegExp(`<cbc:${name} currencyID="NGN">(-?\\d+\\.\\d\\d)<`, "g"))].map(([, sum]) =>
      Number(sum),
    );

  test("of a receipt is an invoice whose lines without VAT add up, with the elements in the schema's order", async () => {
    await numberAll(db());
    expect((await ask(page())).text).toContain(`href="${file()}"`);
    const { status, headers, text } = await ask(file());
    expect([status, headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="receipt-${number}.xml"`);
    expect(outline(text)).toBe(
      "UBLVersionID ID IssueDate IssueTime InvoiceTypeCode Note DocumentCurrencyCode OrderReference " +
        "AccountingSupplierParty AccountingCustomerParty PaymentMeans TaxTotal LegalMonetaryTotal InvoiceLine InvoiceLine",
    );
    for (const part of [
      `<cbc:ID>${number}<`,
      `<cbc:IssueDate>${shopDay()}<`,
      "<cbc:Name>Irepo Clothing Limited<",
      "<cbc:CompanyID>01234567-0001<",
      "<cbc:Name>Ada Obi<",
      '<cbc:InvoicedQuantity unitCode="C62">2<',
      "<cbc:Percent>7.5<",
      "Test mode",
    ])
      expect(text, part).toContain(part);
    expect(amounts(text, "TaxAmount")).toEqual([11551.26, 11551.26]);
    expect(amounts(text, "TaxExclusiveAmount")).toEqual([154016.74]);
    expect(amounts(text, "PayableAmount")).toEqual([165568]);
    const [total, ...lines] = amounts(text, "LineExtensionAmount");
    expect(lines.reduce((sum, line) => sum + line, 0)).toBeCloseTo(total ?? 0, 2);
    expect(await ublFaults("Invoice", { receipt: text })).toEqual([]);
  });

  test("of a credit note names the receipt", async () => {
    await numberAll(db());
    await givenBack(100_000);
    const { headers, text } = await ask(`${file()}?credit=CN-${number}`);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="credit-note-CN-${number}.xml"`);
    expect(outline(text)).toBe(
      "UBLVersionID ID IssueDate IssueTime CreditNoteTypeCode Note DocumentCurrencyCode OrderReference " +
        "BillingReference AccountingSupplierParty AccountingCustomerParty TaxTotal LegalMonetaryTotal CreditNoteLine",
    );
    expect(text).toContain(`<cac:InvoiceDocumentReference><cbc:ID>${number}<`);
    expect([amounts(text, "TaxAmount"), amounts(text, "PayableAmount")]).toEqual([[69.77, 69.77], [1000]]);
    expect(await ublFaults("CreditNote", { note: text })).toEqual([]);
  });

  test("says nothing of VAT where the receipt doesn't, and carries any letter", async () => {
    await setReceipts(db(), { showsVat: false, seller: "Ade & Sons <Ọ̀ṣun>" });
    await numberAll(db());
    const { text } = await ask(file());
    expect(text).toContain("<cbc:Name>Ade &amp; Sons &lt;Ọ̀ṣun&gt;<");
    expect(text).not.toMatch(/TaxTotal|ClassifiedTaxCategory/);
    expect(amounts(text, "TaxExclusiveAmount")).toEqual([165568]);
  });

  test("isn't there for another shopper, or for another credit note", async () => {
    await numberAll(db());
    const as = await cookieOf(await makeShopper(db()));
    expect((await ask(file(), as)).status).toBe(404);
    expect((await ask(`${file()}?credit=CN-${number}`)).status).toBe(404);
  });
});

test("who isn't signed in is asked to log in", async () => {
  await numberAll(db());
  const { status, text } = await ask(page(), "");
  expect([status, text.includes("Please log in to see your receipt.")]).toEqual([200, true]);
  expect(text).not.toContain(number);
});
