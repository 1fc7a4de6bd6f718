/** The parameter of a link with the currency in which its price was told, as product feeds have it. */
export const CURRENCY_PARAMETER = "currency";
