import { plainText } from "#app/infra/text/typed-text.ts";

/** Countries whose postal codes contain letters or are written with a prefix of letters. */
const LETTERED =
  "AC AD AI AR AZ BB BM BN CA EC FK GB GG GH GI HN HT IE IM IO JE JM KI KY KZ LC LT LV LY MD MS MT MU NL NR PE PS SH SO SZ TA TC TL VC VE VG WS";
/** Countries without postal codes. */
const NO_CODES = new Set(
  "AE AG AO AW BF BI BJ BQ BS BW BZ CF CG CI CK CM CW DM ER FJ GA GD GM GQ GY HK KM KP ML MO MR NU QA RW SB SC SL SR ST SX TD TG TK TO TV VU YE ZW".split(
    " ",
  ),
);
/** Countries with postal codes that hardly anybody knows. */
const SELDOM_KNOWN = new Set("BO CD DJ GH IE JM KE KN MW NA SO SS SY TT TZ UG".split(" "));
/** Countries in which any short text is accepted as a postal code. */
const ANY_TEXT = new Set([...LETTERED.split(" "), ...NO_CODES, ...SELDOM_KNOWN]);

/** Whether an address in a country (ISO 3166 alpha-2) must have a postal code, may have one, or has none. */
export function postalCodeNeed(countryCode: string): "required" | "optional" | "none" {
  if (NO_CODES.has(countryCode)) return "none";
  return SELDOM_KNOWN.has(countryCode) ? "optional" : "required";
}

/** Whether a country's postal codes can be typed on a numeric keypad. */
export function hasNumericPostalCode(countryCode: string): boolean {
  return !ANY_TEXT.has(countryCode);
}

/** A postal code without the country's prefix where codes are numeric: "D-10115" becomes "10115". */
export function normalizePostalCode(text: string, countryCode: string): string {
  const plain = plainText(text);
  return hasNumericPostalCode(countryCode) ? plain.replace(/^[A-Z]{1,3}[-\s]\s?(?=\d)/i, "") : plain;
}

/** Whether a postal code from `normalizePostalCode` has the shape of the country's codes. */
export function isPostalCode(text: string, countryCode: string): boolean {
  const shape = hasNumericPostalCode(countryCode) ? /^\d[\d\s-]{1,9}$/ : /^[A-Z0-9][A-Z0-9\s-]{1,11}$/i;
  return shape.test(text);
}
