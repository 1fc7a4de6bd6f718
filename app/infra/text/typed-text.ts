/**
 * Invisible characters in texts copied from contacts and chats: control characters except line breaks and tabs,
 * direction marks, variation selectors, and joiners that join nothing. Joiners between letters and in emoji are part of
 * the spelling.
 */
const UNSEEN =
  /(?![\t\n\r])\p{Cc}|(?![\u200c-\u200d\u{e0020}-\u{e007f}])\p{Cf}|(?<![\p{L}\p{M}\p{S}])[\u200c-\u200d]|[\u200c-\u200d](?![\p{L}\p{S}])|(?<![\u{1f3f4}\u{e0020}-\u{e007f}])[\u{e0020}-\u{e007f}]+|[\ufe00-\ufe0e]|(?<!\p{S})\ufe0f(?!\u20e3)/gu;

/** A typed text without invisible characters. Not for passwords, which are kept exactly as typed. */
export function typedText(text: string): string {
  return text.replace(UNSEEN, "");
}

/**
 * A typed number or code in plain form: Arabic and full-width digits as 0 to 9, every hyphen as "-", and no invisible
 * characters.
 */
export function plainText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Mn}]/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .trim();
}
