const POINT = /^(\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/;
const COMMA = /^(\d+),(\d{2})$/;
/** Spaces of any width between thousands, after which both a comma and a point begin decimals. */
const SPACED = /^([1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3})+)(?:[.,](\d+))?$/;

/**
 * Reads a number as people and spreadsheets write it, and returns it in plain digits with a point. After a comma, three
 * digits are thousands, since no sum has three decimals ("1,250"), and two are decimals, since nobody groups two digits
 * ("1,25"). Undefined for any other form, which could mean another number, and for more than `most` decimals: "1.250"
 * is a thousand and more in one country, and a price with a digit too many in another.
 */
export function readDecimal(text: string, most = 2): string | undefined {
  const plain = text.trim();
  const [, whole = "", decimals = ""] = COMMA.exec(plain) ?? POINT.exec(plain) ?? SPACED.exec(plain) ?? [];
  if (whole === "" || decimals.length > most) return undefined;
  return `${whole.replaceAll(/\D/g, "")}${decimals && `.${decimals}`}`;
}

/** A whole number in the same way; spreadsheets also write 12 as 12.00. */
export function readWhole(text: string): number | undefined {
  const number = Number(readDecimal(text) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The signs before or after a sum, by currency. The sign of another currency is not accepted. */
const SIGNS = { USD: /^(?:US\$|USD|\$)|(?:USD|\$)$/i, NGN: /^(?:₦|NGN|N)|(?:₦|NGN)$/i };

/** A sum in this currency, with or without its sign. */
export function readSum(text: string, currency: keyof typeof SIGNS, most?: number): string | undefined {
  return readDecimal(text.trim().replace(SIGNS[currency], ""), most);
}
