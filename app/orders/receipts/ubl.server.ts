import { pieceText } from "#app/catalog/sizes.ts";
import { withEntities } from "#app/infra/text/entities.ts";
import type { CreditNote, Receipt } from "./receipt.ts";
import { creditedText, TEST_MODE } from "./texts.ts";

// UBL 2.1 (ISO/IEC 19845), Invoice and CreditNote, with the elements in the order of its schema. Amounts of lines are
// without VAT, as UBL wants them, although the shop's prices include it.
const NAMESPACE = "urn:oasis:names:specification:ubl:schema:xsd";
/** UNCL 1001: a commercial invoice, a credit note. */
const TYPE = { Invoice: "380", CreditNote: "381" };
/** UN/ECE recommendation 20: one piece. */
const PIECE = "C62";

/** A line with its sum in kobo, which includes VAT. */
type Line = { name: string; quantity: number; kobo: number };

/** A receipt as a UBL invoice. */
export function invoiceXml(receipt: Receipt): string {
  const { contents, kobo, vatKobo, number, date, time } = receipt;
  const { deliveryKobo, roundedKobo = 0 } = contents;
  const lines: Line[] = [
    ...contents.lines.map((line) => ({ name: pieceText(line), quantity: line.quantity, kobo: line.kobo })),
    { name: "Delivery", quantity: 1, kobo: deliveryKobo },
  ];
  return ublXml("Invoice", receipt, { number, date, time, kobo, vatKobo, roundedKobo, lines });
}

/** A credit note as a UBL credit note, which names the receipt. */
export function creditNoteXml(receipt: Receipt, credit: CreditNote): string {
  const lines = [{ name: creditedText(receipt, credit), quantity: 1, kobo: credit.kobo }];
  return ublXml("CreditNote", receipt, { ...credit, roundedKobo: 0, lines });
}

type Sheet = {
  number: string;
  date: string;
  time: string;
  /** What was paid or refunded, with `vatKobo` in it, and by how much cash was rounded down to it. */
  kobo: number;
  vatKobo: number;
  roundedKobo: number;
  lines: Line[];
};

function ublXml(kind: keyof typeof TYPE, receipt: Receipt, sheet: Sheet): string {
  const { seller, buyer, order, reference, isTest, vatTenths } = receipt;
  const { number, date, time, kobo, roundedKobo, lines } = sheet;
  const showsVat = seller.showsVat && vatTenths !== null;
  const vat = showsVat ? sheet.vatKobo : 0;
  const whole = kobo + roundedKobo;
  const total = [
    amount("LineExtensionAmount", whole - vat),
    amount("TaxExclusiveAmount", whole - vat),
    amount("TaxInclusiveAmount", whole),
    ...(roundedKobo > 0 ? [amount("PayableRoundingAmount", -roundedKobo)] : []),
    amount("PayableAmount", kobo),
  ];
  const parts = [
    basic("UBLVersionID", "2.1"),
    basic("ID", number),
    basic("IssueDate", date),
    basic("IssueTime", `${time}:00`),
    basic(`${kind}TypeCode`, TYPE[kind]),
    ...(isTest ? [basic("Note", TEST_MODE)] : []),
    basic("DocumentCurrencyCode", "NGN"),
    group("OrderReference", [basic("ID", order)]),
    ...(kind === "CreditNote" ? [billingReference(receipt)] : []),
    group("AccountingSupplierParty", [sellerParty(receipt)]),
    group("AccountingCustomerParty", buyer ? [party(buyer[0] ?? "", buyer.slice(1))] : []),
    // "Mutually defined": the shop's provider, whose name is in no list of codes.
    ...(kind === "Invoice"
      ? [group("PaymentMeans", [basic("PaymentMeansCode", "ZZZ"), basic("PaymentID", reference)])]
      : []),
    ...(showsVat ? [taxTotal(vat, whole - vat, vatTenths)] : []),
    group("LegalMonetaryTotal", total),
    ...lineGroups(kind, lines, vat, showsVat ? vatTenths : null),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<${kind} xmlns="${NAMESPACE}:${kind}-2" xmlns:cac="${NAMESPACE}:CommonAggregateComponents-2" xmlns:cbc="${NAMESPACE}:CommonBasicComponents-2">
${parts.join("\n")}
</${kind}>
`;
}

const billingReference = ({ number, date }: Receipt) =>
  group("BillingReference", [group("InvoiceDocumentReference", [basic("ID", number), basic("IssueDate", date)])]);

function sellerParty({ seller: { name, address, tin } }: Receipt): string {
  const taxScheme = group("PartyTaxScheme", [basic("CompanyID", tin), vatScheme()]);
  return party(name, address.split("\n"), tin ? [taxScheme] : []);
}

function party(name: string, address: string[], more: string[] = []): string {
  const lines = address.map((line) => group("AddressLine", [basic("Line", line)]));
  const postal = lines.length > 0 ? [group("PostalAddress", lines)] : [];
  return group("Party", [group("PartyName", [basic("Name", name)]), ...postal, ...more]);
}

const vatScheme = () => group("TaxScheme", [basic("ID", "VAT")]);

/** UNCL 5305: the standard rate, or zero. `tenths`: the rate in tenths of a percent. */
const category = (element: string, tenths: number) =>
  group(element, [basic("ID", tenths > 0 ? "S" : "Z"), basic("Percent", String(tenths / 10)), vatScheme()]);

function taxTotal(vat: number, net: number, tenths: number): string {
  const subtotal = [amount("TaxableAmount", net), amount("TaxAmount", vat), category("TaxCategory", tenths)];
  return group("TaxTotal", [amount("TaxAmount", vat), group("TaxSubtotal", subtotal)]);
}

/** The lines without their shares of `vat`, which are differences of running sums, so that they add up to it. */
function lineGroups(kind: keyof typeof TYPE, lines: Line[], vat: number, tenths: number | null): string[] {
  const whole = lines.reduce((sum, line) => sum + line.kobo, 0);
  const vatUpTo = (kobo: number) => (whole === 0 ? 0 : Number((BigInt(vat) * BigInt(kobo)) / BigInt(whole)));
  let before = 0;
  return lines.map(({ name, quantity, kobo }, at) => {
    const net = kobo - (vatUpTo(before + kobo) - vatUpTo(before));
    before += kobo;
    const quantityName = kind === "Invoice" ? "InvoicedQuantity" : "CreditedQuantity";
    const item = [basic("Name", name), ...(tenths === null ? [] : [category("ClassifiedTaxCategory", tenths)])];
    return group(`${kind}Line`, [
      basic("ID", String(at + 1)),
      basic(quantityName, String(quantity), ` unitCode="${PIECE}"`),
      amount("LineExtensionAmount", net),
      group("Item", item),
      group("Price", [amount("PriceAmount", net), basic("BaseQuantity", String(quantity), ` unitCode="${PIECE}"`)]),
    ]);
  });
}

function group(name: string, parts: string[]): string {
  return `<cac:${name}>${parts.join("")}</cac:${name}>`;
}

function basic(name: string, text: string, attributes = ""): string {
  // XML can't have control characters, not even as entities.
  const allowed = text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, " ");
  return `<cbc:${name}${attributes}>${withEntities(allowed)}</cbc:${name}>`;
}

function amount(name: string, kobo: number): string {
  return basic(name, (kobo / 100).toFixed(2), ' currencyID="NGN"');
}
