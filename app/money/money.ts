import { readSum } from "./typed-number.ts";

/** Whole US cents. */
export type UsdCents = number & { readonly unit: "USD cents" };
/** Whole kobo; the shop only ever charges whole naira, so always a multiple of 100. */
export type Kobo = number & { readonly unit: "kobo" };
/** Whole naira, for showing only. */
export type Naira = number & { readonly unit: "naira" };

/** The largest sum in cents that the database's columns hold. */
export const MOST_CENTS = 2 ** 31 - 1;

/** Throws a RangeError for anything but a safe, non-negative whole number. */
export function usdCents(value: number): UsdCents {
  return whole(value, "US cents") as UsdCents;
}

/** Throws a RangeError for anything but a safe, non-negative whole number. */
export function kobo(value: number): Kobo {
  return whole(value, "kobo") as Kobo;
}

export function addCents(...amounts: UsdCents[]): UsdCents {
  return usdCents(amounts.reduce((sum, amount) => sum + amount, 0));
}

export function timesCents(amount: UsdCents, quantity: number): UsdCents {
  return usdCents(amount * whole(quantity, "quantity"));
}

/** Dollars as the specification's JSON carries them: 4999 -> 49.99. For showing and export, never for sums. */
export function dollars(amount: UsdCents): number {
  return Number(dollarText(amount));
}

/** 4999 -> "49.99". */
export function dollarText(amount: UsdCents): string {
  return `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;
}

/** Reads dollars as people and imports write them: "$49.99", 49.9, "1,250", "49,99"; undefined for anything else. */
export function centsFromDollars(value: string | number): UsdCents | undefined {
  const cents = hundredths(readSum(String(value), "USD"));
  return cents === undefined ? undefined : usdCents(cents);
}

/** Reads naira in the same way: "₦31,200". */
export function koboFromNaira(text: string): Kobo | undefined {
  const sum = hundredths(readSum(text, "NGN"));
  return sum === undefined ? undefined : kobo(sum);
}

function hundredths(decimal = ""): number | undefined {
  const [, whole = "", fraction = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(decimal) ?? [];
  return whole ? Number(whole) * 100 + Number(fraction.padEnd(2, "0")) : undefined;
}

function whole(value: number, unit: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no whole number of ${unit}`);
  return value;
}
