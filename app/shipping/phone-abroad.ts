import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";

// The library knows the numbers of each country, and is large: browsers load this file only for an address abroad.

/**
 * A country's phone number in E.164 format ("+447911123456"), with its extension if it has one. Undefined if it is
 * invalid or has another calling code. The United States and Canada share one. `number` is from `plainPhone`, and
 * `country` an ISO 3166 alpha-2 code.
 */
export function phoneAbroad(number: string, country: string): string | undefined {
  if (!isSupportedCountry(country)) return;
  const written = [number, number.replace(/^00/, "+"), number.replace(/^009/, "+")].map((one) =>
    parsePhoneNumberFromString(one, country),
  );
  const phone = written.find((one) => one?.isValid() && one.countryCallingCode === getCountryCallingCode(country));
  return phone && (phone.ext ? `${phone.number} ext. ${phone.ext}` : phone.number);
}
