import { type FormEvent, useState } from "react";
import { EMAIL_MAX } from "#app/infra/email-address.ts";
import { isPersonName, spaceInitials } from "#app/infra/text/person-name.ts";
import { typedText } from "#app/infra/text/typed-text.ts";
import * as messages from "#app/messages.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, Field } from "#app/ui/field.tsx";
import { toast } from "#app/ui/toaster.tsx";

/**
 * The footer's form. It calls `fetch` itself, because the router would first load the page of /subscribe, and would
 * reload this page if the network were down.
 */
export function SubscribeForm() {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const answered = useFocusAnswer(problem);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setProblem(undefined); // the same problem again is a new answer
    const refused = await ask(new FormData(form));
    setBusy(false);
    setProblem(refused);
    // The form shows each refusal itself. The specification's two are toasts as well.
    if (refused === messages.subscribe.incomplete || refused === messages.subscribe.failed) toast.error(refused);
    if (refused) return;
    toast.success(messages.subscribe.done);
    form.reset();
  };
  return (
    <form
      ref={answered}
      onSubmit={send}
      method="post"
      action="/subscribe"
      noValidate
      className="grid grid-cols-2 content-start gap-x-3 gap-y-2 sm:grid-cols-1 sm:gap-3 [&_input]:border-paper/50 [&_input]:bg-ink [&_input]:text-paper"
    >
      <div className="col-span-full flex flex-wrap items-baseline gap-x-3 gap-y-1 sm:grid sm:gap-3">
        <h2 className="label text-paper/70 uppercase">Subscribe</h2>
        <p className="max-sm:text-sm max-sm:leading-5">Be the first to see new arrivals.</p>
      </div>
      <Field label="First name" name="firstName" maxLength={100} autoComplete="given-name" />
      <EmailField maxLength={EMAIL_MAX} />
      {problem && (
        <p role="alert" className="col-span-full">
          {problem}
        </p>
      )}
      <Button
        look="outline"
        className="col-span-full border-paper text-paper hover:bg-paper hover:text-ink"
        busy={busy}
      >
        Subscribe
      </Button>
    </form>
  );
}

/** Submits the form. Returns an error text, or undefined on success, when the server responds with a redirect. */
async function ask(form: FormData): Promise<string | undefined> {
  const fields = [...form].map(([name, value]) => [name, String(value)]);
  if (!isPersonName(spaceInitials(typedText(String(form.get("firstName")).trim())))) return messages.form.notAName;
  const body = new URLSearchParams(fields);
  const answer = await fetch("/subscribe", { method: "POST", body, redirect: "manual" }).catch(() => undefined);
  if (answer?.type === "opaqueredirect") return undefined;
  if (answer?.status === 429) return messages.form.tooOften;
  if (answer?.status !== 400) return messages.subscribe.failed;
  return fields.every(([, value]) => value?.trim()) ? messages.form.email : messages.subscribe.incomplete;
}
