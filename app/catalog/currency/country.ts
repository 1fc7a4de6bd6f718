export type Currency = "USD" | "NGN";

/** A cookie with the chosen currency. The browser's script sets it. */
export const CHOICE_COOKIE = "irepo_currency";

export const CURRENCY_SIGNS: Record<Currency, string> = { USD: "$", NGN: "₦" };

export function isCurrency(value: unknown): value is Currency {
  return value === "USD" || value === "NGN";
}

/** The currency of a country (ISO 3166 alpha-2 code). Undefined if the country is unknown. */
export function currencyOfCountry(country: string | undefined): Currency | undefined {
  if (!country) return;
  return country === "NG" ? "NGN" : "USD";
}
