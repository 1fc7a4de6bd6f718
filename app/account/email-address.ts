import { z } from "zod";

/** One mailbox, one account: case, a trailing dot and Unicode variants of an address fold into one. */
export function normalizeEmail(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase().replace(/\.$/, "");
}

const address = z.email().max(254);

export function isEmail(text: string): boolean {
  return address.safeParse(text).success;
}
