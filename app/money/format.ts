import { type Rate, rateText } from "./exchange-rate.ts";
import { type Kobo, kobo, type Naira, type UsdCents } from "./money.ts";

/** Groups digits as en-US does, without Intl: the result is the same on the server and under every visitor's locale. */
function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** 4999 -> "$49.99". */
export function formatUsd(amount: UsdCents): string {
  return `$${grouped(Math.floor(amount / 100))}.${String(amount % 100).padStart(2, "0")}`;
}

/** 79984 -> "₦79,984". */
export function formatNaira(amount: Naira): string {
  return `₦${grouped(amount)}`;
}

/** 79984 -> "≈ ₦79,984". */
export function formatApproximateNaira(amount: Naira): string {
  return `≈ ${formatNaira(amount)}`;
}

/** 7998400 kobo -> "₦79,984". */
export function formatKobo(amount: Kobo): string {
  return `₦${grouped(Math.floor(amount / 100))}${amount % 100 ? `.${String(amount % 100).padStart(2, "0")}` : ""}`;
}

/** A sum that may be below zero: -50000 kobo -> "−₦500". */
export function formatSignedKobo(amount: number): string {
  return `${amount < 0 ? "−" : ""}${formatKobo(kobo(Math.abs(amount)))}`;
}

/** A paid sum; `amount` is in hundredths of the currency. */
export function formatPaid(amount: number, currency: string): string {
  return currency === "NGN" ? formatKobo(kobo(amount)) : `${currency} ${(amount / 100).toFixed(2)}`;
}

/** The price of a dollar: "₦1,534.25". */
export function formatRate(rate: Rate): string {
  const [whole, fraction] = rateText(rate).split(".");
  return `₦${grouped(Number(whole))}${fraction ? `.${fraction}` : ""}`;
}
