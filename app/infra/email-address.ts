/** The longest address that mail servers accept, in characters. */
export const EMAIL_MAX = 254;
const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+\-.&=#!]*[\w+\-&=#!]@([a-z0-9][a-z0-9-]*\.)+([a-z]{2,}|xn--[a-z0-9-]+)$/i;

/** The normalized form of an address: case, a trailing dot and Unicode variants do not make another account. */
export function normalizeEmail(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase().replace(/\.$/, "");
}

/** Whether a text is an email address: the same rule for every form, on the server and in the browser. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX && EMAIL.test(text);
}
