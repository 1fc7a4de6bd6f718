import { PASSWORD_MAX, PASSWORD_MIN } from "./rule.ts";

/** Words that an attacker of this shop tries first. */
const OWN_WORDS = ["irepo", "jersey", "streetwear"];

/**
 * The advice shown beside a new password. It refuses nothing (docs/decisions/005). `common` holds the most used
 * passwords in lower case (from the MIT-licensed lists of @zxcvbn-ts/language-common), `personal` holds words about the
 * shopper, such as their name.
 */
export function adviceOn(password: string, common: ReadonlySet<string>, personal: string[] = []): string {
  const lower = password.slice(0, PASSWORD_MAX).toLowerCase();
  if (password.length < PASSWORD_MIN) return `At least ${PASSWORD_MIN} characters; a longer one is safer.`;
  if (common.has(lower) || common.has(lower.replace(/[\d!.]+$/, "")))
    return "One of the most used passwords: it is guessed first. A sentence is safer.";
  const known = [...OWN_WORDS, ...personal.map((word) => word.toLowerCase())].find(
    (word) => word.length > 2 && lower.includes(word),
  );
  if (known) return `“${known}” is easy to guess here. A sentence is safer.`;
  return password.length < 12 ? "Fine. A longer one is safer." : "A strong password.";
}
