import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";

type Answer = { ok: boolean; problem?: string; problems?: Record<string, string> };

/** A note for the team. It is sent beside the screen: a panel that is open stays. */
export function NoteForm({ noteKey }: { noteKey: string }) {
  const fetcher = useFetcher<Answer>();
  const form = useRef<HTMLFormElement>(null);
  const [key, setKey] = useState(noteKey); // stays when the screen is loaded anew
  const isSent = useRef(false); // what stands in the field now
  const { data: answer, state } = fetcher;
  /** Each text has a key of its own: sent again it is one note, and another text is another one. */
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
