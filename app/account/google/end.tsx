import { useEffect } from "react";
import { useNavigate } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { welcome } from "#app/account/welcome.ts";
import { messages } from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { GOOGLE_POPUP, type GoogleOutcome } from "./outcome.ts";

export type GoogleEnded = { outcome: GoogleOutcome; from: "login" | "register"; inPopup: boolean };

/** The last page of a sign-in by Google: a popup tells the page that opened it and closes; a whole page welcomes and goes on. */
export function GoogleEnd({ outcome, from, inPopup }: GoogleEnded) {
  const navigate = useNavigate();
  useEffect(() => {
    if (inPopup) {
      const channel = new BroadcastChannel(GOOGLE_POPUP);
      channel.postMessage(outcome);
      channel.close();
      window.close();
    } else if (outcome.ok) {
      navigate(welcome(outcome, messages.google.done), { replace: true });
    }
  }, [outcome, inPopup, navigate]);
  return (
    <AuthPage title="Sign in with Google">
      <p role={outcome.ok ? "status" : "alert"}>{textOf(outcome, from)}</p>
      <ButtonLink to={outcome.ok ? outcome.next : `/${from}`}>
        {outcome.ok ? "Continue" : from === "login" ? "To the login" : "To the registration"}
      </ButtonLink>
    </AuthPage>
  );
}

function textOf(outcome: GoogleOutcome, from: GoogleEnded["from"]): string {
  if (outcome.ok) return messages.google.done;
  if (outcome.why === "cancelled") return messages.google.cancelled;
  return from === "login" ? messages.google.loginFailed : messages.google.registerFailed;
}
