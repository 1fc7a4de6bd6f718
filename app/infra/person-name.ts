/** Line breaks, control characters, and those that turn the direction of what follows. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
/** Characters that nobody sees, behind which an address could hide. */
const UNSEEN = /\p{Cf}/gu;
const DOT = "[.\\u2024\\u3002\\uff0e\\uff61]";
const SCHEME = /https?:|:\/\/|www(?=\.)/giu;
const DOTTED = new RegExp(`([\\p{L}\\p{N}_-])(${DOT})(?=\\p{L}[\\p{L}\\p{N}-]|\\d+${DOT}\\d)`, "gu");

/** Whether a text may stand as somebody's name in a mail: mail programs make links of web addresses, also of bare ones. */
export function isPersonName(text: string): boolean {
  const seen = text.replace(UNSEEN, "");
  return text.search(CONTROL) < 0 && seen.search(SCHEME) < 0 && seen.search(DOTTED) < 0;
}

/** What is taken out of a name may leave more of its kind (`hthttp:tp:`): a long one would be gone through very often. */
const LONGEST = 1000;

/** A name that came from elsewhere, cut where it is far too long, without what `isPersonName` refuses: `evil.example` becomes `evil. example`. */
export function cleanName(text: string): string {
  let name = text.slice(0, LONGEST).replace(CONTROL, "");
  while (!isPersonName(name)) name = name.replace(UNSEEN, "").replace(SCHEME, "").replace(DOTTED, "$1$2 ");
  return name;
}
