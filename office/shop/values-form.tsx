import { type ReactElement, type ReactNode, useState } from "react";
import { Form } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import type { ShopValueName } from "#app/owner/shop/settings.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { useAnswer } from "../connection/answer.ts";
import { notDoneText } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import type { Outcome } from "../http/changes.server.ts";
import { SaveBar } from "./save-bar.tsx";
import { type Stored, useValues } from "./use-values.browser.ts";
import { ValueField, type ValueInput } from "./value-field.tsx";

export type FieldOf<Name> = (name: Name, note: string, input: ValueInput, label?: string) => ReactElement;

/** A form for some of the shop's values, which `labels` names: its state, what draws a field, and the texts typed. */
export function useValuesForm<Name extends ShopValueName>(stored: Stored, labels: Record<Name, string>) {
  const done = useAnswer<Outcome>();
  const form = useValues(stored, done);
  const problems: Record<string, string> = done && !done.ok && "problems" in done ? done.problems : {};
  const field: FieldOf<Name> = (name, note, input, label = labels[name]) => (
    <ValueField label={label} note={note} problem={problems[name]} value={form.of(name)}>
      {input}
    </ValueField>
  );
  const textOf = (name: Name) => form.of(name).text;
  return { field, textOf, shell: { done, form, isRefused: Object.keys(problems).length > 0 } };
}

/** The form around the fields, with its save bar. */
export function ValuesForm({
  done,
  form,
  isRefused,
  children,
}: ReturnType<typeof useValuesForm>["shell"] & { children: ReactNode }) {
  const [plain] = useState(done); // the answer to a form that was sent without script
  const refused = done && !done.ok && "problem" in done ? done : undefined;
  const place = useFocusAnswer((form.open > 0 || isRefused) && !done?.ok ? done : undefined);
  return (
    <Form ref={place} method="post" preventScrollReset onSubmit={form.send}>
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="was" value={JSON.stringify(form.was)} />
      <input type="hidden" name="shown" value={JSON.stringify(form.shown)} />
      {children}
      <SaveBar label="Save" status={statusOf(form, done)} isDisabled={form.open > 0}>
        {/* With script, each value that somebody else has changed has its own notice. */}
        {refused && (refused === plain || refused.meanwhile === undefined) && (
          <Notice kind={"isOffline" in refused ? "offline" : "error"}>
            {notDoneText(refused, "Nothing was saved.")}
          </Notice>
        )}
      </SaveBar>
    </Form>
  );
}

function statusOf({ open, isChanged }: ReturnType<typeof useValues>, done: Outcome | undefined): string | undefined {
  if (open > 0) return `${plural(open, "choice")} open`;
  if (isChanged) return "Not saved yet";
  return done?.ok ? done.what : undefined;
}
