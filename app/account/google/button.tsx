import { type FormEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { GuestFields } from "#app/account/guest-fields.tsx";
import { AFTER_SIGN_IN, welcome } from "#app/account/welcome.ts";
import * as messages from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { failureText, GOOGLE_POPUP, type GoogleOutcome } from "./outcome.ts";

const LOOK = 400; // ms between checks whether the popup is closed

/**
 * The sign-in with Google: in a popup if the browser allows one; otherwise, and without JavaScript, in the whole page.
 */
export function GoogleButton({ from, next }: { from: "login" | "register"; next: string }) {
  const [how, setHow] = useState<"plain" | "popup" | "page">("plain");
  const [popup, setPopup] = useState<Window | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each popup
  useEffect(() => (popup ? watch(popup, ended) : undefined), [popup]);

  function ended(outcome: GoogleOutcome): void {
    setPopup(null);
    if (outcome.ok) {
      const to = welcome(outcome, messages.google.done);
      setTimeout(() => location.assign(to), AFTER_SIGN_IN);
    } else (outcome.why === "cancelled" ? toast : toast.error)(failureText(outcome.why, from));
  }

  function open(event: FormEvent<HTMLFormElement>): void {
    const opened = window.open("", GOOGLE_POPUP, "popup,width=480,height=680");
    event.currentTarget.target = opened ? GOOGLE_POPUP : "";
    // Synchronously, since the browser reads the form's fields when this handler returns.
    flushSync(() => setHow(opened ? "popup" : "page"));
    setPopup(opened);
  }

  return (
    <form method="post" action="/auth/google" onSubmit={open} className="grid">
      <input type="hidden" name="from" value={from} />
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="how" value={how} />
      <GuestFields />
      <Button look="outline" busy={popup !== null}>
        <GoogleMark /> Sign in with Google
      </Button>
    </form>
  );
}

/** Calls `ended` with the result that the popup sends, or with "cancelled" if the popup is closed without one. */
function watch(popup: Window, ended: (outcome: GoogleOutcome) => void): () => void {
  const channel = new BroadcastChannel(GOOGLE_POPUP);
  let closed = 0;
  channel.onmessage = ({ data }: MessageEvent<GoogleOutcome>) => ended(data);
  // A message sent while the popup closes may still be on its way, so the popup has to be found closed twice.
  const timer = setInterval(() => {
    if (popup.closed && ++closed > 1) ended({ ok: false, why: "cancelled" });
  }, LOOK);
  return () => {
    clearInterval(timer);
    channel.close();
  };
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true" className="absolute left-5 size-4.5">
      <path
        fill="#4285f4"
        d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92a8.78 8.78 0 0 0 2.68-6.62"
      />
      <path
        fill="#34a853"
        d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26a5.4 5.4 0 0 1-8.06-2.84H.96v2.33A9 9 0 0 0 9 18"
      />
      <path fill="#fbbc05" d="M3.98 10.72a5.4 5.4 0 0 1 0-3.44V4.95H.96a9 9 0 0 0 0 8.1z" />
      <path
        fill="#ea4335"
        d="M9 3.58c1.32 0 2.5.45 3.44 1.35L15 2.34A9 9 0 0 0 .96 4.95l3.02 2.33A5.36 5.36 0 0 1 9 3.58"
      />
    </svg>
  );
}
