import type { PaymentIssueKind } from "#app/orders/issue-kind.ts";
import { Confirm } from "../frame/confirm.tsx";

type Props = {
  kind: PaymentIssueKind;
  /** The payment's reference. */
  about: string;
  /** What a screen with many calls it. */
  name?: string;
  /** The last thing that was known to have been done to the order. */
  seen?: string;
};

/** Closes what a person had to look into, for good: it asks first. */
export function LookedInto({ kind, about, name, seen }: Props) {
  return (
    <Confirm
      title="It was looked into"
      label={name && `It was looked into: ${name}`}
      question={kind === "dispute" ? `${UNANSWERED} ${CLOSED}` : CLOSED}
      submit="Close it for good"
      intent="resolve"
      fields={{ about, ...(seen !== undefined && { seen }) }}
    />
  );
}

const UNANSWERED = "A dispute that nobody answers in Paystack’s dashboard is lost.";
const CLOSED =
  "All that waits of this payment leaves the list for good: nobody is reminded of it again. No money moves by this.";
