import { log } from "./log.server.ts";

/** Errors that prevent a sale, as the log names them. The shopper sees another message, which says what to do. */
const INTERNAL_ERRORS = {
  notAuthenticated: "user must be authenticated",
  missingData: "missing data for sale record",
  productNotFound: "product not found",
  sizeNotFound: "size not found",
  insufficientQuantity: "insufficient quantity for the size",
  userNotFound: "user document not found",
} as const;

/** `details` say what the error is about, without personal data. */
export function logInternalError(error: keyof typeof INTERNAL_ERRORS, details: Record<string, unknown>): void {
  log.warn(details, INTERNAL_ERRORS[error]);
}
