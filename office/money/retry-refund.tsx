import { Confirm } from "../frame/confirm.tsx";

/**
 * A button that requests a failed refund from the provider again. `name` is the refund's name for screen readers, on
 * screens with several refunds.
 */
export function RetryRefund({ name, fields }: { name?: string; fields: Record<string, string> }) {
  return (
    <Confirm
      title="Try again"
      label={name && `Try again: ${name}`}
      question="The failed refund is sent again, to the account that paid. You can’t stop it afterwards."
      submit="Refund it"
      intent="retry"
      fields={fields}
    />
  );
}
