import { SHIPPING_FIELDS, type ShippingFields } from "./shipping.ts";

const KEY = "checkoutDraft";

/** What this shopper typed into the shipping form, kept in this tab over a reload and a login. */
export function readDraft(userId: string): Partial<ShippingFields> {
  try {
    const { of, fields } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    if (of !== userId) return {};
    return Object.fromEntries(
      SHIPPING_FIELDS.filter((name) => typeof fields[name] === "string").map((name) => [name, fields[name]]),
    );
  } catch {
    return {}; // a foreign value, or storage is refused
  }
}

export function keepDraft(userId: string, fields: ShippingFields): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ of: userId, fields }));
  } catch {} // no room, or refused: then a reload finds an empty form
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {} // refused: then nothing was kept
}
