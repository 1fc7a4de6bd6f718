import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";

type Answer = { ok: boolean; problem?: string; problems?: Record<string, string> };

/** A note for the team. It is sent beside the screen: a panel that is open stays. */
export function NoteForm({ noteKey }: { noteKey: string }) {
  const fetcher = useFetcher<Answer>();
  const form = useRef<HTMLFormElement>(null);
  const key = useRef(noteKey);
  const { data: answer, state } = fetcher;
  useEffect(() => {
    if (state !== "idle" || !answer?.ok) return;
    form.current?.reset();
    key.current = noteKey;
  }, [state, answer, noteKey]);
  return (
    <fetcher.Form method="post" ref={form} className="mt-4.5 flex items-end gap-2">
      <input type="hidden" name="intent" value="note" />
      <input type="hidden" name="id" value={key.current} />
      <div className="flex-auto">
        <Field label="Note for the team" problem={answer?.problems?.text ?? answer?.problem}>
          <input name="text" maxLength={2000} autoComplete="off" className="input" />
        </Field>
      </div>
      <Button look="line" isPending={state !== "idle"}>
        Add
      </Button>
    </fetcher.Form>
  );
}
