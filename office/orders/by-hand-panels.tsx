import { useState } from "react";
import { LONGEST_REFERENCE, MEANS, MEANS_NAMES } from "#app/by-hand/means.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import type { ToGive } from "#app/payments/by-hand/give.server.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import { Field, TextField } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";
import { emailHint, Panel, PanelForm, type useSeen } from "./panel.tsx";

type Common = {
  seen: ReturnType<typeof useSeen>;
  problem?: string;
  problems: Record<string, string>;
  isPending: boolean;
};

type OwnProps = { problem?: string; value?: string };

/** The choice of how money was taken. */
export function MeansField({ problem, value }: OwnProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">Paid by</legend>
      {MEANS.map((means) => (
        <label key={means} className="tick">
          <input type="radio" name="means" value={means} defaultChecked={value === means} required />
          {MEANS_NAMES[means]}
        </label>
      ))}
      {problem && <p className="text-[0.8125rem] leading-4.5 font-medium text-error">{problem}</p>}
    </fieldset>
  );
}

export function BankReferenceField({ problem, value, note }: OwnProps & { note: string }) {
  return (
    <TextField
      label="The bank’s reference"
      note={note}
      name="bankReference"
      defaultValue={value}
      maxLength={LONGEST_REFERENCE}
      problem={problem}
    />
  );
}

type PaidProps = Common & { sum: number; cashSum: number; paidKey: string; hasEmail: boolean };

/**
 * The panel that records a payment by hand for an order that staff put together. `sum`: the order's sum in kobo;
 * `cashSum`: what to take in cash, which may be less.
 */
export function PaidPanel({ sum, cashSum, paidKey, hasEmail, problems, ...form }: PaidProps) {
  const [key] = useState(paidKey); // kept when the screen's data is reloaded
  const inCash = cashSum < sum ? `; in cash, take ${formatKobo(kobo(cashSum))}` : "";
  const costs = `the order costs ${formatKobo(kobo(sum))}${inCash}`;
  return (
    <Panel title="Mark as paid">
      <PanelForm {...form} intent="paid" submit="Mark as paid">
        <input type="hidden" name="key" value={key} />
        <MeansField problem={problems.means} />
        <Field label="Amount in naira" note={costs} problem={problems.naira}>
          <input name="naira" inputMode="decimal" autoComplete="off" required maxLength={20} className="input" />
        </Field>
        <BankReferenceField note="for a transfer" problem={problems.bankReference} />
        <Hint>
          Record it when the money is here: cash in your hand, a transfer in the bank’s app. The order is then paid,
          under your name. <span>{emailHint(hasEmail)}</span>
        </Hint>
      </PanelForm>
    </Panel>
  );
}

/** The panel that marks money that is to be given back by hand as given. */
export function GivenPanel({
  due,
  hasEmail,
  problems,
  ...form
}: Common & { due: Pick<ToGive, "kobo" | "means">; hasEmail: boolean }) {
  const sum = formatKobo(kobo(due.kobo));
  return (
    <Panel title="Mark as given back">
      <PanelForm {...form} intent="given" submit={`Mark ${sum} as given back`}>
        <input type="hidden" name="kobo" value={due.kobo} />
        <p>
          {sum} goes back to the customer by hand. It came as: {due.means.toLowerCase()}.
        </p>
        <BankReferenceField note="if you sent a transfer" problem={problems.bankReference} />
        <Hint>
          Mark it once they have it. The refund is then done, under your name. <span>{emailHint(hasEmail)}</span>
        </Hint>
      </PanelForm>
    </Panel>
  );
}

/** Where a refund goes, and when it arrives: to the account that paid, or by hand as it came. */
export function whereBack(provider: string | null): string {
  return provider === null || descriptionOf(provider).isOutside
    ? "To the account that paid. Their bank takes 3 to 10 business days."
    : "You give it back by hand, and mark it as given on the order’s page.";
}
