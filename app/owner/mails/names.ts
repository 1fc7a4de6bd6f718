import { MAIL_NAMES } from "../orders/mail-kinds.ts";

const NAMES: Record<string, string> = {
  ...MAIL_NAMES,
  return: "About a return",
  "verify-email": "Verify the address",
  "reset-password": "New password",
  "password-changed": "Password changed",
  "stock-alert": "Back in stock",
  "stock-alert-request": "Back in stock: confirm",
  "moved-in": "Order of the shop before",
  "staff-invitation": "Invitation to the office",
};

/** A kind of mail, as staff call it. */
export function mailName(kind: string): string {
  return NAMES[kind] ?? kind;
}
