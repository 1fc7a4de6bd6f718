/** The URL parameter with the currency of the price that a link was shown with, for example in a product feed. */
export const CURRENCY_PARAMETER = "currency";
