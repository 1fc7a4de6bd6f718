import { useEffect } from "react";
import { AuthPage } from "#app/account/auth-page.tsx";
import { AFTER_SIGN_IN, welcome } from "#app/account/welcome.ts";
import * as messages from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { failureText, GOOGLE_POPUP, type GoogleOutcome } from "./outcome.ts";

export type GoogleEnded = { outcome: GoogleOutcome; from: "login" | "register"; inPopup: boolean };

/** The last page of a sign-in by Google: a popup tells the page that opened it and closes; a whole page welcomes and goes on. */
export function GoogleEnd({ outcome, from, inPopup }: GoogleEnded) {
  useEffect(() => {
    if (inPopup) {
      const channel = new BroadcastChannel(GOOGLE_POPUP);
      channel.postMessage(outcome);
      channel.close();
      window.close();
    } else if (outcome.ok) {
      const to = welcome(outcome, messages.google.done);
      // Replaced: Back would find an answer of Google's that is used up.
      const timer = setTimeout(() => location.replace(to), AFTER_SIGN_IN);
      return () => clearTimeout(timer);
    }
  }, [outcome, inPopup]);
  return (
    <AuthPage title="Sign in with Google">
      <p role={outcome.ok ? "status" : "alert"}>{outcome.ok ? messages.google.done : failureText(outcome.why, from)}</p>
      <ButtonLink to={outcome.ok ? outcome.next : `/${from}`}>
        {outcome.ok ? "Continue" : from === "login" ? "To the login" : "To the registration"}
      </ButtonLink>
    </AuthPage>
  );
}
