import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import { Confirm } from "../frame/confirm.tsx";

type Props = {
  kind: PaymentIssueKind;
  /** The payment's provider. */
  provider: string;
  /** The payment's reference. */
  about: string;
  /** The name of this case for screen readers, on screens with several cases. */
  name?: string;
  /** The version of the order's history that the member saw. */
  seen?: string;
};

/** Closes a case that a person had to look into, after a confirmation. */
export function LookedInto({ kind, provider, about, name, seen }: Props) {
  return (
    <Confirm
      title="It was looked into"
      label={name && `It was looked into: ${name}`}
      question={
        kind === "dispute"
          ? `If you don’t answer a dispute in ${descriptionOf(provider).records}, you lose it. ${CLOSED}`
          : CLOSED
      }
      submit="Close it for good"
      intent="resolve"
      fields={{ about, ...(seen !== undefined && { seen }) }}
    />
  );
}

const CLOSED = "This payment leaves the list for good, with no more reminders. No money moves.";
