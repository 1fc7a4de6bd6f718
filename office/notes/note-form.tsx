import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { useUnscripted } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";

type Answer = { ok: boolean; intent?: string; problem?: string; problems?: Record<string, string> };

/** A form for an internal note. It is sent without a navigation, so that an open panel stays open. */
export function NoteForm({ noteKey }: { noteKey: string }) {
  const fetcher = useFetcher<Answer>();
  const unscripted = useUnscripted<Answer>("note");
  const form = useRef<HTMLFormElement>(null);
  const [key, setKey] = useState(noteKey); // kept when the screen's data is reloaded
  const isSent = useRef(false); // whether the text in the field has been sent
  const { data: answer, state } = fetcher;
  /** Gives the next text a new idempotency key: a text sent twice becomes one note, another text becomes a new note. */
  const beginAnew = () => {
    isSent.current = false;
    setKey(crypto.randomUUID());
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!answer?.ok || !isSent.current) return;
    form.current?.reset();
    beginAnew();
  }, [answer]);
  return (
    <fetcher.Form
      method="post"
      ref={form}
      onSubmit={() => {
        isSent.current = true;
      }}
      onChange={() => isSent.current && beginAnew()}
      className="mt-4.5 flex items-end gap-2"
    >
      <input type="hidden" name="intent" value="note" />
      <input type="hidden" name="id" value={key} />
      <div className="flex-auto">
        <Field
          label="Note for the team"
          problem={answer?.problems?.text ?? answer?.problem ?? unscripted?.problems?.text}
        >
          <input name="text" maxLength={2000} autoComplete="off" className="input" />
        </Field>
      </div>
      <Button look="line" isPending={state !== "idle"}>
        Add
      </Button>
    </fetcher.Form>
  );
}
