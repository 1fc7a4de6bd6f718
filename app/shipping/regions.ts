/** Countries in which a postal address needs the state, province or emirate. */
const WITH_REGIONS = new Set(
  "AE AR AU BR CA CL CN CO CR EG ES HK HN ID IN IT JP KR KY MX MY NI PG PH PW RU SO SR SV TH TR TW UA US UY VE VN".split(
    " ",
  ),
);

/**
 * Whether an address in a country (ISO 3166 alpha-2) must name its state or region. In other countries the form has no
 * such field.
 */
export function needsRegion(countryCode: string): boolean {
  return WITH_REGIONS.has(countryCode);
}
