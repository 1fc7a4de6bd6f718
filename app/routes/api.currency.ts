import { currencyOfCountry } from "#app/catalog/currency/country.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";
import { countryOf } from "#app/infra/http/visitor-country.server.ts";

/** What the visitor's country suggests: {currency: "NGN" or "USD"}, null while the country is not known. */
export async function get(request: Request): Promise<ApiAnswer> {
  return { json: { currency: currencyOfCountry(countryOf(request)) ?? null } };
}
