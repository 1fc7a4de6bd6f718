/** "+234 803-123 4567" -> "08031234567": a Nigerian number in its local form. Does not say whether it is one: see `isNigerianPhone`. */
export function normalizeNigerianPhone(text: string): string {
  const digits = text.replace(/[\s\-.()]/g, "");
  const local = /^(?:\+?234)0?(\d{10})$/.exec(digits) ?? /^([789]\d{9})$/.exec(digits);
  return local ? `0${local[1]}` : digits;
}

/** Whether a number, normalized by `normalizeNigerianPhone`, has the 11 digits of a Nigerian one. */
export function isNigerianPhone(normalized: string): boolean {
  return /^\d{11}$/.test(normalized);
}
