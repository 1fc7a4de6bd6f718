import { expect, test } from "vitest";
import { parseRate, type Rate } from "#app/money/exchange-rate.ts";
import type { ReceiptLine, ReceiptSeller } from "#db/types.ts";
import { ublFaults } from "#tests/support/ubl.ts";
import { type CreditNote, contentsOf, creditOf, type Receipt, vatIn } from "./receipt.ts";
import { creditNoteXml, invoiceXml } from "./ubl.server.ts";

const rate = parseRate("1600") as Rate;
const SELLER: ReceiptSeller = {
  name: "Ade & Sons <Ọ̀ṣun>",
  address: "41 Adeniran Ogunsanya Street\nSurulere, Lagos",
  tin: "01234567-0001",
  showsVat: true,
};
const LINES: Omit<ReceiptLine, "kobo">[] = [
  { title: "Home Jersey", color: "Palm Green", size: "M", quantity: 3, cents: 4999 },
  { title: "Tee\u0000\ufffe \ud800", color: "", size: "ONE", quantity: 1, cents: 1 },
];

type Case = {
  vatTenths?: number | null;
  seller?: Partial<ReceiptSeller>;
  buyer?: string[] | null;
  lines?: Omit<ReceiptLine, "kobo">[];
  shippingCents?: number;
  /** By how much all was cheaper. */
  off?: number;
  roundedKobo?: number;
  isAbroad?: boolean;
  isTest?: boolean;
};

function receiptOf(given: Case): Receipt {
  const { vatTenths = 75, seller, buyer = ["Ada Obi", "1 Broad Street", "Lagos"], lines = LINES, off = 0 } = given;
  const { shippingCents = 350, roundedKobo = 0, isAbroad = false, isTest = false } = given;
  const sold = lines.map((line) => ({ ...line, cents: Math.max(1, line.cents - off) }));
  const subtotalCents = sold.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);
  const kobo = (subtotalCents + shippingCents) * 1600 - roundedKobo;
  const receipt = {
    number: "2026-000123",
    order: "IR-7K3M-2Q",
    reference: "irepo-0123456789",
    paidBy: "Paystack",
    ...{ day: "22 November 2026", date: "2026-11-22", time: "14:36" },
    seller: { ...SELLER, ...seller },
    buyer,
    contents: contentsOf({ kobo, roundedKobo, subtotalCents, shippingCents, rate, isAbroad }, sold),
    ...{ kobo, vatTenths, vatKobo: vatIn(kobo, vatTenths) },
    ...{ totalCents: subtotalCents + shippingCents, rate: "1600", isTest },
  };
  const credit = (refunded: number, before: number, parts: string[]): CreditNote => ({
    number: "CN-2026-000097",
    ...creditOf(receipt, before, refunded),
    parts,
    ...{ day: "1 December 2026", date: "2026-12-01", time: "00:00" },
  });
  return { ...receipt, credits: [credit(100, 0, []), credit(kobo, 100, ["3 × Home Jersey", "Delivery"])] };
}

const CASES: Record<string, Case> = {
  vat: {},
  "vat-of-zero": { vatTenths: 0 },
  "vat-of-a-tenth": { vatTenths: 1 },
  "no-rate": { vatTenths: null },
  "vat-not-shown": { seller: { showsVat: false } },
  discount: { off: 700 },
  "almost-free": { off: 4998, shippingCents: 0 },
  "cash-rounded": { roundedKobo: 4900 },
  "no-delivery": { shippingCents: 0 },
  abroad: { vatTenths: 0, isAbroad: true, shippingCents: 2800, buyer: ["Ama Mensah", "2 Ring Road", "Accra", "Ghana"] },
  "buyer-gone": { buyer: null },
  "buyer-without-name": { buyer: [] },
  "bare-seller": { seller: { tin: "", address: "" } },
  "test-mode": { isTest: true },
  "many-lines": { lines: Array.from({ length: 60 }, (_, at) => ({ ...LINES[0], cents: at + 1 }) as (typeof LINES)[0]) },
};
const receipts = Object.entries(CASES).map(([name, given]) => [name, receiptOf(given)] as const);

test("receipts of all kinds are invoices by OASIS's schema", async () => {
  const xmls = Object.fromEntries(receipts.map(([name, receipt]) => [name, invoiceXml(receipt)]));
  expect(await ublFaults("Invoice", xmls)).toEqual([]);
});

test("credit notes of all kinds are credit notes by OASIS's schema", async () => {
  const xmls = receipts.flatMap(([name, receipt]) =>
    receipt.credits.map((credit, at) => [`${name}-${at}`, creditNoteXml(receipt, credit)]),
  );
  expect(await ublFaults("CreditNote", Object.fromEntries(xmls))).toEqual([]);
});

test("the schema finds a document with an element that is missing, misplaced or wrong", async () => {
  const xml = invoiceXml(receiptOf({}));
  const broken = {
    missing: xml.replace(/<cbc:IssueDate>.*?<\/cbc:IssueDate>/, ""),
    misplaced: xml.replace(/(<cbc:ID>2026-000123<\/cbc:ID>)\n(<cbc:IssueDate>.*?<\/cbc:IssueDate>)/, "$2\n$1"),
    wrong: xml.replace("2026-11-22", "22 November"),
  };
  const faults = await ublFaults("Invoice", broken);
  for (const name of Object.keys(broken)) expect(faults.join("\n")).toContain(`${name}.xml`);
});
