/** Countries whose postal codes have letters, or are written with some in front. */
const LETTERED =
  "AC AD AI AR AZ BB BM BN CA EC FK GB GG GH GI HN HT IE IM IO JE JM KI KY KZ LC LT LV LY MD MS MT MU NL NR PE PS SH SO SZ TA TC TL VC VE VG WS";
/** Countries without postal codes, or whose people hardly know theirs. */
const WITHOUT_CODES =
  "AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GM GQ GY HK KE KM KN KP ML MO MR MW NA NU QA RW SB SC SL SR SS ST SX SY TD TG TK TO TT TV TZ UG VU YE ZW";
/** Any short text is taken there. */
const ANY_TEXT = new Set(`${LETTERED} ${WITHOUT_CODES}`.split(" "));

/** Whether a numeric keypad fits the country's postal codes. */
export function hasNumericPostalCode(countryCode: string): boolean {
  return !ANY_TEXT.has(countryCode);
}

export function isPostalCode(text: string, countryCode: string): boolean {
  const shape = hasNumericPostalCode(countryCode) ? /^\d[\d\s-]{1,9}$/ : /^[A-Z0-9][A-Z0-9\s-]{1,11}$/i;
  return shape.test(text);
}
