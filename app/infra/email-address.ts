/** The longest address that mail servers carry. */
export const EMAIL_MAX = 254;
const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i;

/** The form in which an address names its mailbox: case, a trailing dot and Unicode variants make no other account. */
export function normalizeEmail(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase().replace(/\.$/, "");
}

/** Whether a text is an email address, wherever one is asked for; in the browser, too. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX && EMAIL.test(text);
}
