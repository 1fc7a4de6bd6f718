import { type FormEvent, useState } from "react";
import { EMAIL_MAX } from "#app/infra/email-address.ts";
import { isPersonName } from "#app/infra/person-name.ts";
import * as messages from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, Field } from "#app/ui/field.tsx";
import { toast } from "#app/ui/toaster.tsx";

/** The footer's form. It asks without the router, which would first fetch the page of /subscribe, and without a network reload this one. */
export function SubscribeForm() {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    const refused = await ask(new FormData(form));
    setBusy(false);
    setProblem(refused);
    if (refused) return void toast.error(refused);
    toast.success(messages.subscribe.done);
    form.reset();
  };
  return (
    <form
      onSubmit={send}
      method="post"
      action="/subscribe"
      noValidate
      className="grid content-start gap-3 [&_input]:border-paper/50 [&_input]:bg-ink [&_input]:text-paper"
    >
      <h2 className="label text-paper/70 uppercase">Subscribe</h2>
      <p>New pieces first, and nothing else.</p>
      <Field label="First name" name="firstName" maxLength={100} autoComplete="given-name" />
      <EmailField maxLength={EMAIL_MAX} />
      {problem && <p className="text-sm">{problem}</p>}
      <Button look="outline" className="border-paper text-paper hover:bg-paper hover:text-ink" busy={busy}>
        Subscribe
      </Button>
    </form>
  );
}

/** What is wrong; undefined when it is done, for then the answer leads to another page. */
async function ask(form: FormData): Promise<string | undefined> {
  const fields = [...form].map(([name, value]) => [name, String(value)]);
  if (!isPersonName(String(form.get("firstName")).trim())) return messages.form.notAName;
  const body = new URLSearchParams(fields);
  const answer = await fetch("/subscribe", { method: "POST", body, redirect: "manual" }).catch(() => undefined);
  if (answer?.type === "opaqueredirect") return undefined;
  if (answer?.status === 429) return messages.form.tooOften;
  if (answer?.status !== 400) return messages.subscribe.failed;
  return fields.every(([, value]) => value?.trim()) ? messages.form.email : messages.subscribe.incomplete;
}
