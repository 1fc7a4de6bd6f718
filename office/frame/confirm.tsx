import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import { Form } from "react-router";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { Button, ButtonSummary } from "./button.tsx";

type Props = {
  /** The text of the button. `label` is its accessible name where the text makes sense only beside other contents. */
  title: string;
  label?: string;
  look?: "line" | "quiet";
  /** The question to confirm. */
  question: string;
  submit: string;
  intent: string;
  fields?: Record<string, string>;
};

/**
 * A button for an irreversible action. It asks for confirmation first; without JavaScript the question unfolds below
 * the button.
 */
export function Confirm(props: Props) {
  const { title, label, look = "line" } = props;
  const weight = look === "quiet" ? "font-normal" : "";
  if (!useHydrated())
    return (
      <details>
        <ButtonSummary look={look} aria-label={label} className={weight}>
          {title}
        </ButtonSummary>
        <Question {...props} />
      </details>
    );
  return (
    <DialogTrigger>
      <Button type="button" look={look} aria-label={label} className={weight}>
        {title}
      </Button>
      <Popover placement="bottom end" className="max-w-80 rounded-cut border border-hairline bg-white p-4 shadow-lg">
        <Dialog className="outline-none" aria-label={label ?? title}>
          {({ close }) => <Question {...props} onSubmit={close} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Question({ question, submit, intent, fields = {}, onSubmit }: Props & { onSubmit?: () => void }) {
  return (
    <Form method="post" preventScrollReset onSubmit={onSubmit} className="grid max-w-80 justify-items-start gap-3">
      <p>{question}</p>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button name="intent" value={intent}>
        {submit}
      </Button>
    </Form>
  );
}
