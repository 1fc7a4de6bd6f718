import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";

/** Asks for another link where one was of no use. */
export function NewLinkForm({ purpose }: { purpose: "verify" | "reset" }) {
  return (
    <Form
      method="post"
      action={purpose === "reset" ? "/forgotPassword" : "/login"}
      noValidate
      className="grid gap-4"
      aria-label="A new link"
    >
      {purpose === "verify" && <input type="hidden" name="intent" value="resend" />}
      <Field label="Email" name="email" type="email" autoComplete="email" required />
      <Button look="outline">Send a new link</Button>
    </Form>
  );
}
