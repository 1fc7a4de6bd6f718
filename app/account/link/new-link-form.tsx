import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { EmailField } from "#app/ui/field.tsx";

/** Requests a new link if the old one is not valid. */
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
      <EmailField required />
      <Button look="outline">Send a new link</Button>
    </Form>
  );
}
