import { MAIL_NAMES } from "../orders/mail-kinds.ts";

const NAMES: Record<string, string> = {
  ...MAIL_NAMES,
  return: "About a return",
  "verify-email": "Verify the address",
  "reset-password": "New password",
  "password-changed": "Password changed",
  "sign-in": "Link to log in",
  "already-registered": "Registered already",
  "password-removed": "Password removed",
  "stock-alert": "Back in stock",
  "stock-alert-request": "Back in stock: confirm",
  "moved-in": "Order of the shop before",
  "payer-receipt": "Receipt for somebody else who paid",
  "payer-refund": "Refund for somebody else who paid",
  "staff-invitation": "Invitation to the office",
};

/** The name of a kind of mail in the office. */
export function mailName(kind: string): string {
  return NAMES[kind] ?? kind;
}
