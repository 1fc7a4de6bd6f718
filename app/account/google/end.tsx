import { useEffect } from "react";
import { AuthPage } from "#app/account/auth-page.tsx";
import { AFTER_SIGN_IN, welcome } from "#app/account/welcome.ts";
import * as messages from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { failureText, GOOGLE_POPUP, type GoogleOutcome } from "./outcome.ts";

export type GoogleEnded = { outcome: GoogleOutcome; from: "login" | "register"; inPopup: boolean };

/**
 * The last page of a sign-in with Google. A popup sends the result to the page that opened it and closes. Without a
 * popup, the page shows a welcome message and continues to the next page.
 */
export function GoogleEnd({ outcome, from, inPopup }: GoogleEnded) {
  useEffect(() => {
    if (inPopup) {
      const channel = new BroadcastChannel(GOOGLE_POPUP);
      channel.postMessage(outcome);
      channel.close();
      window.close();
    } else if (outcome.ok) {
      const to = welcome(outcome, messages.google.done);
      // Replaced, so that Back does not lead to Google's response, which can be used only once.
      const timer = setTimeout(() => location.replace(to), AFTER_SIGN_IN);
      return () => clearTimeout(timer);
    }
  }, [outcome, inPopup]);
  return (
    <AuthPage title="Sign in with Google">
      <p role={outcome.ok ? "status" : "alert"}>{outcome.ok ? messages.google.done : failureText(outcome.why, from)}</p>
      <ButtonLink to={outcome.ok ? outcome.next : `/${from}`}>
        {outcome.ok ? "Continue" : from === "login" ? "Log in" : "Register"}
      </ButtonLink>
    </AuthPage>
  );
}
