/** Countries whose postal codes have letters, or are written with some in front. */
const LETTERED =
  "AC AD AI AR AZ BB BM BN CA EC FK GB GG GH GI HN HT IE IM IO JE JM KI KY KZ LC LT LV LY MD MS MT MU NL NR PE PS SH SO SZ TA TC TL VC VE VG WS";
/** Countries without postal codes. */
const NO_CODES = new Set(
  "AE AG AO AW BF BI BJ BQ BS BW BZ CF CG CI CK CM CW DM ER FJ GA GD GM GQ GY HK KM KP ML MO MR NU QA RW SB SC SL SR ST SX TD TG TK TO TV VU YE ZW".split(
    " ",
  ),
);
/** Countries that have some, which hardly anybody knows. */
const SELDOM_KNOWN = new Set("BO CD DJ GH JM KE KN MW NA SO SS SY TT TZ UG".split(" "));
/** Any short text is taken there. */
const ANY_TEXT = new Set([...LETTERED.split(" "), ...NO_CODES, ...SELDOM_KNOWN]);

/** Whether an address there must have a postal code, may have one, or has none. `countryCode` is ISO 3166 alpha-2. */
export function postalCodeNeed(countryCode: string): "required" | "optional" | "none" {
  if (NO_CODES.has(countryCode)) return "none";
  return SELDOM_KNOWN.has(countryCode) ? "optional" : "required";
}

/** Whether a numeric keypad fits the country's postal codes. */
export function hasNumericPostalCode(countryCode: string): boolean {
  return !ANY_TEXT.has(countryCode);
}

export function isPostalCode(text: string, countryCode: string): boolean {
  const shape = hasNumericPostalCode(countryCode) ? /^\d[\d\s-]{1,9}$/ : /^[A-Z0-9][A-Z0-9\s-]{1,11}$/i;
  return shape.test(text);
}
