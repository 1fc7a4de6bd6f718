import type { ReactNode } from "react";
import type { ViewedReturn } from "#app/owner/returns/view.server.ts";
import type { useSeen } from "../orders/panel.tsx";

/** The props of all forms for a return's next step. */
export type StepProps = {
  given: ViewedReturn;
  firstName: string;
  form: { seen: ReturnType<typeof useSeen>; isPending: boolean; problem?: string };
  problems: Partial<Record<string, string>>;
  /** The message to the shopper, which is kept when another form is chosen. */
  message: string;
  onMessage(text: string): void;
  onDecline(): void;
  /** Called when a choice outside of a form field is made, so that the form is kept like one with input. */
  onChoose(): void;
  /** The last day for a refund that becomes due today. */
  dueIfNow: string;
  /** Other actions, shown below the fields. */
  others?: ReactNode;
};
