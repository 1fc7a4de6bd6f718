import { CHECKOUT_FIELDS, type ShippingFields } from "./shipping.ts";

const KEY = "checkoutDraft";

/** The shopper's unsent shipping form. It is kept in this tab's session storage, across reloads and logins. */
export function readDraft(userId: string): Partial<ShippingFields> {
  try {
    const { of, fields } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    if (of !== userId) return {};
    return Object.fromEntries(
      CHECKOUT_FIELDS.filter((name) => typeof fields[name] === "string").map((name) => [name, fields[name]]),
    );
  } catch {
    return {}; // a foreign value, or storage is unavailable
  }
}

export function keepDraft(userId: string, fields: ShippingFields): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ of: userId, fields }));
  } catch {} // storage is full or unavailable: a reload then shows an empty form
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {} // storage is unavailable, so nothing was kept
}
