import { type ReactElement, type ReactNode, useState } from "react";
import { Form } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import type { ShopValueName, ShopValues } from "#app/owner/shop/settings.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { useDraft } from "../conflict/use-draft.browser.ts";
import { useAnswer } from "../connection/answer.ts";
import { notDoneText } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import type { Outcome } from "../http/changes.server.ts";
import { SaveBar } from "./save-bar.tsx";
import { type Texts, ValueField, type ValueInput, type ValuesDraft } from "./value-field.tsx";

export type FieldOf<Name> = (name: Name, note: string, input: ValueInput, label?: string) => ReactElement;

type Stored = { values: ShopValues; texts: Texts };

/**
 * The state of a form for those of the shop's values that `labels` names. `field` renders a field, `textOf` returns its
 * text, and `shell` has the props of `ValuesForm`. The draft's version is the values as JSON, because the server
 * refuses only values that others have changed.
 */
export function useValuesForm<Name extends ShopValueName>({ values, texts }: Stored, labels: Record<Name, string>) {
  const done = useAnswer<Outcome>();
  const draft = useDraft({ theirs: texts, version: JSON.stringify(values), saved: done?.ok ? done : undefined });
  const problems: Record<string, string> = done && !done.ok && "problems" in done ? done.problems : {};
  const field: FieldOf<Name> = (name, note, input, label = labels[name]) => (
    <ValueField name={name} label={label} note={note} problem={problems[name]} draft={draft} theirs={texts}>
      {input}
    </ValueField>
  );
  const textOf = (name: Name) => draft.mine[name];
  return { field, textOf, shell: { done, draft, isRefused: Object.keys(problems).length > 0 } };
}

/** The form around the fields, with its save bar. */
export function ValuesForm({
  done,
  draft,
  isRefused,
  children,
}: ReturnType<typeof useValuesForm>["shell"] & { children: ReactNode }) {
  const isOpen = draft.open.length > 0;
  const [plain] = useState(done); // the answer to a form that was sent without script
  const refused = done && !done.ok && "problem" in done ? done : undefined;
  const place = useFocusAnswer((isOpen || isRefused) && !done?.ok ? done : undefined);
  return (
    <Form ref={place} method="post" preventScrollReset onSubmit={draft.onSend}>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="was" value={draft.seen} />
      <input type="hidden" name="shown" value={JSON.stringify(draft.base)} />
      {children}
      <SaveBar label="Save" status={statusOf(draft, done)} isDisabled={isOpen}>
        {/* With script, each value that somebody else has changed has its own notice. */}
        {refused && (refused === plain || !refused.isStale) && (
          <Notice kind={"isOffline" in refused ? "offline" : "error"}>
            {notDoneText(refused, "Nothing was saved.")}
          </Notice>
        )}
      </SaveBar>
    </Form>
  );
}

function statusOf({ open, isChanged }: ValuesDraft, done: Outcome | undefined): string | undefined {
  if (open.length > 0) return `${plural(open.length, "choice")} open`;
  if (isChanged) return "Not saved yet";
  return done?.ok ? done.what : undefined;
}
