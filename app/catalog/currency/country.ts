export type Currency = "USD" | "NGN";

export const CURRENCY_SIGNS: Record<Currency, string> = { USD: "$", NGN: "₦" };

export function isCurrency(value: unknown): value is Currency {
  return value === "USD" || value === "NGN";
}

/** The currency that a country (ISO 3166 alpha-2) suggests; undefined where it is not known. */
export function currencyOfCountry(country: string | undefined): Currency | undefined {
  if (!country) return;
  return country === "NG" ? "NGN" : "USD";
}
