import { Dialog, DialogTrigger, Popover } from "react-aria-components";
import { Form } from "react-router";
import { Button } from "./button.tsx";

type Props = {
  /** On the button, and for who does not see what it stands beside. */
  title: string;
  label?: string;
  look?: "line" | "quiet";
  /** What is asked before. */
  question: string;
  submit: string;
  intent: string;
  fields?: Record<string, string>;
};

/** A button for what cannot be undone: it asks first. */
export function Confirm({ title, label, look = "line", question, submit, intent, fields = {} }: Props) {
  return (
    <DialogTrigger>
      <Button type="button" look={look} aria-label={label} className={look === "quiet" ? "font-normal" : ""}>
        {title}
      </Button>
      <Popover placement="bottom end" className="max-w-80 rounded-cut border border-hairline bg-white p-4 shadow-lg">
        <Dialog className="outline-none" aria-label={label ?? title}>
          {({ close }) => (
            <Form method="post" preventScrollReset onSubmit={close} className="grid justify-items-start gap-3">
              <p>{question}</p>
              {Object.entries(fields).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              <Button name="intent" value={intent}>
                {submit}
              </Button>
            </Form>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
