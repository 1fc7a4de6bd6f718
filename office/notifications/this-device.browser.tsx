import { type FormEvent, useState } from "react";
import { Form, useSubmit } from "react-router";
import type { Kind } from "#app/staff/notifications/kinds.ts";
import { FormError } from "#app/ui/field.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { Button } from "../frame/button.tsx";
import { KindTicks } from "./kind-ticks.tsx";

type Props = {
  /** Whether this browser gets notifications already. */
  isOn: boolean;
  kinds: readonly Kind[];
  /** Why the last press was refused, by field. */
  problems: { kinds?: string; subscription?: string };
};

/**
 * A form that switches on notifications in this browser, or the reason why that is impossible. Before the press,
 * nothing is loaded and the browser asks for no permission.
 */
export function ThisDevice({ isOn, kinds, problems }: Props) {
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = useSubmit();
  const obstacle = useHydrated() ? obstacleHere() : undefined;

  async function switchOn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setFailure("");
    const made = await newSubscription();
    if ("problem" in made) setFailure(made.problem);
    else {
      fields.set("subscription", made.subscription);
      await submit(fields, { method: "post" });
    }
    setBusy(false);
  }
  if (obstacle) return <p className="mt-3 text-muted">{obstacle}</p>;
  if (isOn) return null;
  return (
    <Form method="post" onSubmit={switchOn} className="mt-3 grid justify-items-start gap-3">
      <input type="hidden" name="intent" value="notify" />
      <KindTicks kinds={kinds} on={kinds} device="this device" problem={problems.kinds} />
      <Button look="line" isPending={isBusy}>
        {isBusy ? "Switching on…" : "Get notifications on this device"}
      </Button>
      <FormError>{failure || problems.subscription}</FormError>
      <noscript>
        <p className="text-muted">Notifications need script.</p>
      </noscript>
    </Form>
  );
}

const BLOCKED =
  "This browser blocks the office’s notifications. Allow them in its settings for this site, and reload this page.";
const ON_IPHONE =
  "Add the office to your Home Screen first (Share, Add to Home Screen). Open it there, and come back to this page.";
const UNABLE = "This browser can’t show notifications, or the office isn’t on https. Try another browser.";

/** The reason why this browser can't get notifications. Undefined if it can. */
function obstacleHere(): string | undefined {
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)
    return Notification.permission === "denied" ? BLOCKED : undefined;
  // An iPad's user agent names a Mac, but no Mac has a touch screen.
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1) ? ON_IPHONE : UNABLE;
}

const TRY_AGAIN = "Something went wrong. Please try again in a moment.";

/** Asks the member, and subscribes this browser. The browser asks only in direct answer to a press. */
async function newSubscription(): Promise<{ subscription: string } | { problem: string }> {
  try {
    if ((await Notification.requestPermission()) !== "granted")
      return { problem: "Notifications weren’t allowed. Press again, and allow them when the browser asks." };
    await navigator.serviceWorker.register("/office-worker.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    const former = await pushManager.getSubscription();
    await former?.unsubscribe(); // it may be bound to another key
    const answer = await fetch("/me/push-key");
    if (!answer.ok || answer.redirected) return { problem: TRY_AGAIN };
    const { key }: { key: string } = await answer.json();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
    return { subscription: JSON.stringify(made) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function problemOf(error: unknown): string {
  if (error instanceof TypeError) return "No connection. Please try again.";
  if (error instanceof Error && error.name === "AbortError")
    return "The browser’s own push service didn’t answer. Please try again, or use another browser.";
  return "This browser couldn’t do it. Please try again, or use another browser.";
}
