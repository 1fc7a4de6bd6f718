/** Line breaks, control characters, and characters that change the direction of the text after them. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
/** Invisible characters, behind which a web address could hide. */
const UNSEEN = /\p{Cf}/gu;
const DOT = "[.\\u2024\\u3002\\uff0e\\uff61]";
const SCHEME = /https?:|:\/\/|www(?=\.)/giu;
const DOTTED = new RegExp(`([\\p{L}\\p{N}_-])(${DOT})(?=\\p{L}[\\p{L}\\p{N}-]|\\d+${DOT}\\d)`, "gu");

/**
 * Whether a text may stand as somebody's name in a mail. Mail programs turn web addresses into links, also those
 * without https://.
 */
export function isPersonName(text: string): boolean {
  const seen = text.replace(UNSEEN, "");
  return text.search(CONTROL) < 0 && seen.search(SCHEME) < 0 && seen.search(DOTTED) < 0;
}

/** An initial, or a title such as St. or Dr., with a dot in front of a name. */
const ABBREVIATED = /(?<![\p{L}\p{M}\p{N}])(\p{Lu}\p{M}*|\p{Lu}\p{Ll}{1,3}(?=\.\p{Lu}))\.(?=\p{L}[\p{L}\p{M}.])/gu;

/** "O.J.Okafor" as "O. J. Okafor": without the spaces a mail program could make a link of it. */
export function spaceInitials(name: string): string {
  return name.replace(ABBREVIATED, "$1. ");
}

/**
 * In characters. Removing a part may leave another one to remove (`hthttp:tp:`), so a long name could take very many
 * rounds.
 */
const LONGEST = 1000;

/**
 * A name from outside the shop, cut if it is far too long and changed until `isPersonName` accepts it: `evil.example`
 * becomes `evil. example`.
 */
export function cleanName(text: string): string {
  let name = spaceInitials(text.slice(0, LONGEST).replace(CONTROL, ""));
  while (!isPersonName(name)) name = name.replace(UNSEEN, "").replace(SCHEME, "").replace(DOTTED, "$1$2 ");
  return name;
}
