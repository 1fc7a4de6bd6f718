import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";

/** The name of a recorded field as people say it: `shippingCents` is "shipping". */
export function fieldWords(name: string): string {
  const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/ (kobo|cents)$/, "").replace(/^(kobo|cents)$/, "sum");
}

/** The value of a recorded field as people write it: sums with their currency, lists with commas. */
export function valueWords(name: string, value: unknown): string {
  if (value === undefined || value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" || (typeof value === "string" && /^-?\d+$/.test(value))) {
    if (/kobo$/i.test(name)) return formatKobo(kobo(Number(value)));
    if (/cents$/i.test(name)) return formatUsd(usdCents(Number(value)));
  }
  if (Array.isArray(value)) return value.map((one) => valueWords(name, one)).join("; ") || "none";
  if (typeof value === "object") {
    const fields = Object.entries(value).filter(([, one]) => one !== null && one !== undefined && one !== "");
    return fields.map(([field, one]) => `${fieldWords(field)} ${valueWords(field, one)}`).join(", ") || "none";
  }
  return String(value);
}
