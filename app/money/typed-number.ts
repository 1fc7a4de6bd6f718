const POINT = /^(\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/;
const COMMA = /^(\d+),(\d{2})$/;

/**
 * Reads a number as people and spreadsheets write it, and returns it in plain digits with a point. After a comma, three
 * digits are thousands and two are decimals. Undefined for any other form, which could mean another number, and for
 * more than `most` decimals.
 */
export function readDecimal(text: string, most = 2): string | undefined {
  const [, whole = "", decimals = ""] = COMMA.exec(text.trim()) ?? POINT.exec(text.trim()) ?? [];
  if (whole === "" || decimals.length > most) return undefined;
  return `${whole.replaceAll(",", "")}${decimals && `.${decimals}`}`;
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
