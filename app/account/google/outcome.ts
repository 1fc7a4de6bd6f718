import type { Welcome } from "#app/account/welcome.ts";
import * as messages from "#app/messages.ts";

export type GoogleFailure = "cancelled" | "failed" | "gone";
/**
 * The result of a sign-in with Google, as the popup sends it to the page that opened it. `gone`: the account was
 * deleted during the sign-in.
 */
export type GoogleOutcome = ({ ok: true } & Welcome) | { ok: false; why: GoogleFailure };

/** The message for the shopper. `from` is the page where the sign-in began. */
export function failureText(why: GoogleFailure, from: "login" | "register"): string {
  if (why === "cancelled") return messages.google.cancelled;
  if (why === "gone") return messages.login.noUserRecord;
  return from === "login" ? messages.google.loginFailed : messages.google.registerFailed;
}

/** The name of the popup, and of the channel on which it sends the result. */
export const GOOGLE_POPUP = "irepo-google";
