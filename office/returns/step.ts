import type { ReactNode } from "react";
import type { ViewedReturn } from "#app/owner/returns/view.server.ts";
import type { useSeen } from "../orders/panel.tsx";

/** What each form of a return's next step is given. */
export type StepProps = {
  given: ViewedReturn;
  firstName: string;
  form: { seen: ReturnType<typeof useSeen>; isPending: boolean; problem?: string };
  problems: Partial<Record<string, string>>;
  /** What is written to the shopper, which stays when the way to go on changes. */
  message: string;
  onMessage(text: string): void;
  onDecline(): void;
  /** Something was chosen that is no field: what is half done stays. */
  onChoose(): void;
  /** The last day for money that is due from now on. */
  dueIfNow: string;
  /** Other ways to go on, below the fields. */
  others?: ReactNode;
};
