import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { useFocusProblem } from "#app/ui/focus.browser.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import type { Setting, SettingAnswer } from "./setting.ts";

/** A section to unfold; open where something was just changed in it. */
export function Panel({ title, answer, children }: { title: string; answer?: SettingAnswer; children: ReactNode }) {
  return (
    <details className="group border-t border-hairline last:border-b" open={answer !== undefined || undefined}>
      <summary className="flex min-h-14 items-center justify-between font-semibold">
        <h3>{title}</h3>
        <ChevronIcon className="size-5 group-open:rotate-180" />
      </summary>
      <div className="grid max-w-xl gap-6 pb-8">{children}</div>
    </details>
  );
}

type SettingProps = {
  of: Setting;
  action: string;
  answer?: SettingAnswer;
  look?: "solid" | "outline" | "quiet";
  reloadDocument?: boolean;
  children?: ReactNode;
};

/** The form of one setting, with what became of it. */
export function SettingForm({ of, action, answer, look, reloadDocument, children }: SettingProps) {
  const { formData } = useNavigation();
  const form = useFocusProblem(answer);
  return (
    <Form
      ref={form}
      method="post"
      action="/account"
      noValidate
      preventScrollReset
      reloadDocument={reloadDocument}
      className="grid justify-items-stretch gap-4"
    >
      <FormError>{answer?.errors.form}</FormError>
      <input type="hidden" name="setting" value={of} />
      {children}
      <Button look={look} busy={formData?.get("setting") === of} className="justify-self-start">
        {action}
      </Button>
      <Done answer={answer} />
    </Form>
  );
}

/** What was done, where there is anything to say. */
export function Done({ answer }: { answer?: SettingAnswer }) {
  if (!answer?.done) return null;
  return (
    <p role="status" className="font-medium text-palm">
      {answer.done}
    </p>
  );
}

/** Password managers look for whose password it is. */
export function Username({ email }: { email: string }) {
  return <input type="text" autoComplete="username" hidden readOnly value={email} />;
}
