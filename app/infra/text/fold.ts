/** Marks on letters, and invisible characters. */
const UNSEEN =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u180b-\u180e\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u07eb-\u07f3\u07fd\u{1e944}-\u{1e94a}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/gu;
const BETWEEN_WORDS =
  /[\0-/:-@[-`{-\u00bf\u00d7\u00f7\u02b0-\u02ff\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964\u0965\u1361-\u1368\u1680\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30fb\ufffc\ufffd\u{1f000}-\u{1faff}]+/gu;

/**
 * Letters that Unicode does not decompose into A to Z with a mark, and letters and digits that stand for the same, each
 * followed by its replacement.
 */
const ALIKE = new Map(
  "ðd đd øo ħh ıi łl ŋn ŧt ƀb ɓb ɖd ɗd ƒf ɠg ɣg ƙk ƴy ɲn ɛe ɔo ǝe əe ɩi ʋv ƈc ƥp ƭt ɨi ʉu ƶz æae œoe ßss þth ςσ ґг ىي ةه کك یي ٠0 ١1 ٢2 ٣3 ٤4 ٥5 ٦6 ٧7 ٨8 ٩9 ۰0 ۱1 ۲2 ۳3 ۴4 ۵5 ۶6 ۷7 ۸8 ۹9"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const OTHERS = new RegExp(`[${[...ALIKE.keys()].join("")}]`, "gu");

/**
 * Replaces letters that are searched alike: "Ọ̀ṣun" becomes "osun". The same as fold_letters() in the database; a test
 * compares them.
 */
export function foldLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replace(UNSEEN, "")
    .toLowerCase()
    .replace(OTHERS, (letter) => ALIKE.get(letter) ?? letter);
}

/** The words of a text as they are searched: "O’Brien" becomes "o brien". The same as fold() in the database. */
export function fold(text: string): string {
  return foldLetters(text).replace(BETWEEN_WORDS, " ").trim();
}

/** A text as a part of an address: "Ọ̀wàǹbẹ̀ 2026!" becomes "owanbe-2026". Empty if no letter or digit is left. */
export function hyphened(text: string, most: number): string {
  const words = foldLetters(text).replace(/[^a-z0-9]+/g, "-");
  return words.replace(/^-/, "").slice(0, most).replace(/-$/, "");
}
