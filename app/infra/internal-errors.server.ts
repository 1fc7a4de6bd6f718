import { log } from "./log.server.ts";

/** What keeps a sale from being made, as the log names it; what a shopper can do about it is said on the screen. */
const INTERNAL_ERRORS = {
  notAuthenticated: "user must be authenticated",
  missingData: "missing data for sale record",
  productNotFound: "product not found",
  sizeNotFound: "size not found",
  insufficientQuantity: "insufficient quantity for the size",
  userNotFound: "user document not found",
} as const;

/** `details` name what it is about, and no person. */
export function logInternalError(error: keyof typeof INTERNAL_ERRORS, details: Record<string, unknown>): void {
  log.warn(details, INTERNAL_ERRORS[error]);
}
