import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { useErrors, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { ChevronIcon } from "#app/ui/icons.tsx";
import type { Setting, SettingAnswer } from "./setting.ts";

/** A collapsible section, open if a form in it was just posted. */
export function Panel({ title, answer, children }: { title: string; answer?: SettingAnswer; children: ReactNode }) {
  const content = useFocusAnswer<HTMLDivElement>(answer);
  return (
    <details className="group border-t border-hairline last:border-b" open={answer !== undefined || undefined}>
      <summary className="flex min-h-14 items-center justify-between font-semibold">
        <h3>{title}</h3>
        <ChevronIcon className="size-5 group-open:rotate-180" />
      </summary>
      <div ref={content} className="grid max-w-xl gap-6 pb-8">
        {children}
      </div>
    </details>
  );
}

type SettingProps = {
  of: Setting;
  action: ReactNode;
  answer?: SettingAnswer;
  look?: "solid" | "outline" | "quiet";
  reloadDocument?: boolean;
  /** The fields, with the errors that are left. */
  children?(errors: Errors): ReactNode;
};
type Errors = Partial<SettingAnswer["errors"]>;

/** The form of one setting, with the result of the change. */
export function SettingForm({ of, action, answer, look, reloadDocument, children }: SettingProps) {
  const { formData } = useNavigation();
  const [errors, onInput] = useErrors(answer?.errors);
  return (
    <Form
      onInput={onInput}
      method="post"
      action="/account"
      noValidate
      preventScrollReset
      reloadDocument={reloadDocument}
      className="grid justify-items-stretch gap-4"
    >
      <FormError>{errors.form}</FormError>
      <input type="hidden" name="setting" value={of} />
      {children?.(errors)}
      <Button look={look} busy={formData?.get("setting") === of} className="justify-self-start">
        {action}
      </Button>
      <Done answer={answer} />
    </Form>
  );
}

/** The message about a successful change, if there is one. */
export function Done({ answer }: { answer?: SettingAnswer }) {
  if (!answer?.done) return null;
  return (
    <p role="status" className="font-medium text-palm">
      {answer.done}
    </p>
  );
}

/** A hidden field with the email address, by which password managers find the account. */
export function Username({ email }: { email: string }) {
  return <input type="text" autoComplete="username" hidden readOnly value={email} />;
}
