import type { OpenPopup } from "#app/payment-provider/in-browser.ts";
import { openPopup } from "#app/paystack/popup.browser.ts";

/** How each provider's popup is opened, by the provider's id. */
export const POPUPS: Partial<Record<string, OpenPopup>> = { paystack: openPopup };
