import { SHIPPING_FIELDS, type ShippingFields } from "./shipping.ts";

const KEY = "checkoutDraft";

/** What was typed into the shipping form, kept in this tab over a reload and a login. */
export function readDraft(): Partial<ShippingFields> {
  try {
    const value = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(
      SHIPPING_FIELDS.filter((name) => typeof value[name] === "string").map((name) => [name, value[name]]),
    );
  } catch {
    return {}; // a foreign value
  }
}

export function keepDraft(fields: ShippingFields): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(fields));
  } catch {} // no room, or refused: then a reload finds an empty form
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEY);
}
