import { plainText } from "#app/infra/text/typed-text.ts";

/** A phone number without the separators between its digits: "tel:+44 (0)20 7946-0018" -> "+4402079460018". */
export function plainPhone(text: string): string {
  return plainText(text).replace(/^tel:|[\s\-.()/]/gi, "");
}

/**
 * The local form of a Nigerian number: "+234 803-123 4567" -> "08031234567". Does not check whether the number is
 * valid: see `isNigerianPhone`.
 */
export function normalizeNigerianPhone(text: string): string {
  const digits = plainPhone(text);
  const local = /^(?:\+|00|009)?2340?(\d{10})$/.exec(digits) ?? /^([789]\d{9})$/.exec(digits);
  return local ? `0${local[1]}` : digits;
}

/** Whether a number from `normalizeNigerianPhone` has the 11 digits of a Nigerian one. */
export function isNigerianPhone(normalized: string): boolean {
  return /^\d{11}$/.test(normalized);
}

/** A Nigerian number in the form that the checkout stores. Any other text stays as it is. */
export function localPhone(text: string): string {
  const local = normalizeNigerianPhone(text);
  return isNigerianPhone(local) ? local : text;
}
