import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { messages } from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { toast } from "#app/ui/toaster.tsx";

type SubscribeAnswer = { ok: boolean; message: string };

/** The footer's form. */
export function SubscribeForm() {
  const fetcher = useFetcher<SubscribeAnswer>();
  const form = useRef<HTMLFormElement>(null);
  const answer = fetcher.state === "idle" ? fetcher.data : undefined;
  useEffect(() => {
    if (!answer) return;
    if (answer.ok) {
      toast.success(messages.subscribe.done);
      form.current?.reset();
    } else toast.error(answer.message);
  }, [answer]);
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action="/subscribe"
      noValidate
      className="grid content-start gap-3 [&_input]:border-paper/50 [&_input]:bg-ink [&_input]:text-paper"
    >
      <h2 className="label text-paper/70 uppercase">Subscribe</h2>
      <p>New pieces first, and nothing else.</p>
      <Field label="First name" name="firstName" autoComplete="given-name" />
      <Field label="Email" name="email" type="email" autoComplete="email" />
      {answer && !answer.ok && <p className="text-sm">{answer.message}</p>}
      <Button
        look="outline"
        className="border-paper text-paper hover:bg-paper hover:text-ink"
        busy={fetcher.state !== "idle"}
      >
        Subscribe
      </Button>
    </fetcher.Form>
  );
}
