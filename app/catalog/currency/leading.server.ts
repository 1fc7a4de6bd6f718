import { cookieIn, cookieName } from "#app/infra/http/cookie.server.ts";
import { countryOf } from "#app/infra/http/visitor-country.server.ts";
import { CHOICE_COOKIE, type Currency, currencyOfCountry, isCurrency } from "./country.ts";
import { CURRENCY_PARAMETER } from "./parameter.ts";

/**
 * The currency that comes first on a visitor's page: the visitor's choice, otherwise the currency in the URL, otherwise
 * the country's, otherwise dollars. `url` may lack the origin.
 */
export function leadingCurrency(url: string, cookies: string, country: () => string | undefined): Currency {
  const query = url.includes("?") ? new URLSearchParams(url.slice(url.indexOf("?"))) : undefined;
  const asked = [cookieIn(cookies, CHOICE_COOKIE), query?.get(CURRENCY_PARAMETER)].find(isCurrency);
  return asked ?? currencyOfCountry(country()) ?? "USD";
}

/** Like `leadingCurrency`, for a page's loader. */
export function leadingCurrencyOf(request: Request): Currency {
  return leadingCurrency(request.url, request.headers.get("cookie") ?? "", () => countryOf(request));
}

/** The Cookie header that makes the server render a page with this currency first. */
export function choiceOf(currency: string): string {
  return `${cookieName(CHOICE_COOKIE)}=${currency}`;
}
