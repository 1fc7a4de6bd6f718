import { pieceText } from "#app/catalog/sizes.ts";
import { dollarsOfKobo, FALLBACK_RATE, parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatRate, formatSignedKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { type CreditNote, type Receipt, vatText } from "./receipt.ts";

/** The heads of the table's columns. */
export const COLUMNS = { what: "Item", sum: "Amount" };

export const TEST_MODE = "Test mode: nothing was charged, and this isn’t a real receipt.";

/** A sum in naira, with the same in dollars, if it is shown. */
export type SumText = { naira: string; dollars?: string };

/** All that a receipt or a credit note says, in its order: its page and its PDF say the same. */
export type SheetTexts = {
  seller: { name: string; lines: string[] };
  title: string;
  number: string;
  day: string;
  /** That the payment was made in test mode. */
  test?: string;
  facts: { title: string; lines: string[] }[];
  /** What the table's rows are. */
  about: string;
  rows: { what: string; sum: SumText }[];
  /** The VAT that is in the total, where the receipt says it. */
  vat: { title: string; sum: string }[];
  total: { title: string; sum: SumText };
  closing: string;
};

const rateOf = ({ rate }: Receipt): Rate => parseRate(rate) ?? FALLBACK_RATE;

export function receiptTexts(receipt: Receipt): SheetTexts {
  const { contents, vatKobo, totalCents, day, time, paidBy, reference } = receipt;
  const { lines, deliveryCents, deliveryKobo, roundedKobo = 0 } = contents;
  return {
    ...headTexts(receipt, [{ title: "Paid", lines: [`${day}, ${time}`, paidBy, reference] }]),
    title: "Receipt",
    number: receipt.number,
    day,
    about: "What you bought",
    rows: [
      ...lines.map((line) => ({
        what: `${line.quantity} × ${pieceText(line)}`,
        sum: sumText(line.kobo, line.cents * line.quantity),
      })),
      { what: "Delivery", sum: sumText(deliveryKobo, deliveryCents) },
      ...(roundedKobo > 0 ? [{ what: "Cash rounded down", sum: sumText(-roundedKobo) }] : []),
    ],
    vat: vatTexts(receipt, receipt.kobo, vatKobo),
    total: { title: "Total", sum: sumText(receipt.kobo, totalCents) },
    closing: `At $1 = ${formatRate(rateOf(receipt))}`,
  };
}

export function creditTexts(receipt: Receipt, credit: CreditNote): SheetTexts {
  const cents = dollarsOfKobo(credit.kobo, rateOf(receipt));
  const at = receipt.credits.findIndex(({ number }) => number === credit.number);
  const back = receipt.credits.slice(0, at + 1);
  const left = receipt.kobo - back.reduce((sum, one) => sum + one.kobo, 0);
  return {
    ...headTexts(receipt, [{ title: "Receipt", lines: [receipt.number, receipt.day] }]),
    title: "Credit note",
    number: credit.number,
    day: credit.day,
    about: "What it’s for",
    rows: [{ what: creditedText(receipt, credit), sum: sumText(credit.kobo, cents) }],
    vat: vatTexts(receipt, credit.kobo, credit.vatKobo),
    total: { title: "Refunded", sum: sumText(credit.kobo, cents) },
    closing: `Receipt total ${formatKobo(kobo(receipt.kobo))}. Left after this refund: ${formatKobo(kobo(left))}.`,
  };
}

/** What a credit note is for: pieces and delivery, or a plain sum. */
export const creditedText = (receipt: Receipt, credit: CreditNote) =>
  credit.parts.join("; ") || (credit.kobo === receipt.kobo ? "The whole amount" : "Part of the amount");

function headTexts({ seller, buyer, order, isTest }: Receipt, more: SheetTexts["facts"]) {
  const { name, address, tin } = seller;
  return {
    seller: { name, lines: [...address.split("\n"), ...(tin ? [`TIN ${tin}`] : [])] },
    ...(isTest && { test: TEST_MODE }),
    facts: [...(buyer ? [{ title: "Sold to", lines: buyer }] : []), { title: "Order", lines: [order] }, ...more],
  };
}

function vatTexts({ vatTenths, seller, contents }: Receipt, sum: number, vat: number): SheetTexts["vat"] {
  if (!seller.showsVat || vatTenths === null) return [];
  const title = `VAT ${vatText(vatTenths)}${contents.isAbroad ? ", sent abroad" : ""}`;
  return [
    { title: "Excluding VAT", sum: formatKobo(kobo(sum - vat)) },
    { title, sum: formatKobo(kobo(vat)) },
  ];
}

function sumText(sum: number, cents?: number): SumText {
  const naira = formatSignedKobo(sum);
  return cents === undefined ? { naira } : { naira, dollars: formatUsd(usdCents(cents)) };
}
