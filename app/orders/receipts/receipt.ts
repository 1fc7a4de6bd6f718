import type { Rate } from "#app/money/exchange-rate.ts";
import type { ReceiptContents, ReceiptLine, ReceiptSeller } from "#db/types.ts";
import { shippingKobo } from "../refund-plan.ts";

/** A credit note: the part of a receipt that a refund cancels. Sums in kobo. */
export type CreditNote = {
  /** Such as CN-2026-000097. */
  number: string;
  kobo: number;
  vatKobo: number;
  /** What it is for; empty for a plain sum. */
  parts: string[];
  /** The day and the time in the shop's zone: "22 November 2026" or "2026-11-22", and "14:36". */
  day: string;
  date: string;
  time: string;
};

/** A receipt as it was numbered, with its credit notes. Sums in kobo and cents. */
export type Receipt = {
  /** Such as 2026-000123. */
  number: string;
  order: string;
  reference: string;
  /** How it was paid: the provider's name, or the means by which staff took the money. */
  paidBy: string;
  day: string;
  date: string;
  time: string;
  seller: ReceiptSeller;
  /** The lines of name and address; null once the account is gone. */
  buyer: string[] | null;
  contents: ReceiptContents;
  kobo: number;
  /** In tenths of a percent; null if the shop had no rate on that day. */
  vatTenths: number | null;
  vatKobo: number;
  totalCents: number;
  /** Naira for one dollar, as text. */
  rate: string;
  /** The payment was made in test mode. */
  isTest: boolean;
  credits: CreditNote[];
};

export const receiptNumber = (year: number, number: number) => `${year}-${String(number).padStart(6, "0")}`;
export const creditNumber = (year: number, number: number) => `CN-${receiptNumber(year, number)}`;

/** The VAT in a sum that includes it, in kobo, rounded half up once. `tenths`: the rate in tenths of a percent. */
export function vatIn(kobo: number, tenths: number | null): number {
  const whole = BigInt(1000 + (tenths ?? 0));
  return Number((2n * BigInt(kobo) * BigInt(tenths ?? 0) + whole) / (2n * whole));
}

/**
 * The sum and VAT of the credit note for a refund, after earlier credit notes of `credited` kobo. The difference of
 * running totals, so that all credit notes add up to exactly the receipt's sum and VAT. A payment beyond that sum,
 * such as the provider's fees, is on no credit note.
 */
export function creditOf(
  receipt: { kobo: number; vatTenths: number | null },
  credited: number,
  refunded: number,
): { kobo: number; vatKobo: number } {
  const after = Math.min(credited + refunded, receipt.kobo);
  return { kobo: after - credited, vatKobo: vatIn(after, receipt.vatTenths) - vatIn(credited, receipt.vatTenths) };
}

/** `kobo` was charged. `roundedKobo`: by how much cash was rounded down to that. */
type Sold = {
  kobo: number;
  roundedKobo?: number;
  subtotalCents: number;
  shippingCents: number;
  rate: Rate;
  isAbroad: boolean;
};

/**
 * A sale's lines and delivery with their sums in kobo. They add up to its charge, as in a refund of all of them, and
 * what cash was rounded down by.
 */
export function contentsOf(sale: Sold, lines: readonly Omit<ReceiptLine, "kobo">[]): ReceiptContents {
  const { roundedKobo = 0 } = sale;
  const kobo = sale.kobo + roundedKobo;
  const deliveryKobo = shippingKobo({ ...sale, kobo });
  const goods = BigInt(kobo - deliveryKobo);
  const share = (cents: number) =>
    sale.subtotalCents === 0 ? 0 : Number((goods * BigInt(cents)) / BigInt(sale.subtotalCents));
  let cents = 0;
  const priced = lines.map((line) => {
    const before = cents;
    cents += line.cents * line.quantity;
    return { ...line, kobo: share(cents) - share(before) };
  });
  const rounded = roundedKobo > 0 ? { roundedKobo } : {};
  return { lines: priced, deliveryCents: sale.shippingCents, deliveryKobo, ...rounded, isAbroad: sale.isAbroad };
}

/** 75 -> "7.5%". */
export const vatText = (tenths: number) => `${tenths / 10}%`;
