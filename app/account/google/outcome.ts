import type { Welcome } from "#app/account/welcome.ts";
import * as messages from "#app/messages.ts";

export type GoogleFailure = "cancelled" | "failed" | "gone";
/** How a sign-in by Google ended, as the popup tells the page that opened it. `gone`: the account was deleted just then. */
export type GoogleOutcome = ({ ok: true } & Welcome) | { ok: false; why: GoogleFailure };

/** What the shopper is told, on the page where the sign-in began. */
export function failureText(why: GoogleFailure, from: "login" | "register"): string {
  if (why === "cancelled") return messages.google.cancelled;
  if (why === "gone") return messages.login.noUserRecord;
  return from === "login" ? messages.google.loginFailed : messages.google.registerFailed;
}

/** The popup's name, and the channel on which it tells its end. */
export const GOOGLE_POPUP = "irepo-google";
