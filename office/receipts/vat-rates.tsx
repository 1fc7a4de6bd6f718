import { Form, useNavigation } from "react-router";
import { vatText } from "#app/orders/receipts/receipt.ts";
import type { VatRate } from "#app/owner/receipts/settings.ts";
import { Button, SaveButton } from "../frame/button.tsx";
import { TextField } from "../frame/field.tsx";
import { Day } from "../frame/times.tsx";

/** The rate that the form suggests to a shop without rates, in percent. */
const SUGGESTED = "7.5";

type Props = {
  /** The newest first. */
  rates: VatRate[];
  /** Like 2026-01-31. */
  today: string;
  problems: Record<string, string>;
  /** The texts of a refused form. */
  typed?: Record<string, string>;
};

/** The form for a rate of VAT. */
export function VatRateForm({ rates, today, problems, typed }: Props) {
  const isPending = useNavigation().formData?.get("intent") === "rate";
  return (
    <Form method="post" preventScrollReset className="grid max-w-120 gap-4.5">
      <input type="hidden" name="intent" value="rate" />
      <TextField
        label="Rate"
        note="percent"
        problem={problems.percent}
        name="percent"
        inputMode="decimal"
        defaultValue={typed?.percent ?? (rates.length === 0 ? SUGGESTED : "")}
        className="max-w-40 tabular-nums"
      />
      <TextField
        label="From"
        problem={problems.fromDay}
        type="date"
        name="fromDay"
        defaultValue={typed?.fromDay ?? today}
        className="max-w-60 tabular-nums"
      />
      <div>
        <SaveButton label="Set the rate" look="line" isPending={isPending} />
      </div>
    </Form>
  );
}

/** The rates, each with the day from which it counts. One that is still to come can be removed. */
export function VatRates({ rates, today }: Pick<Props, "rates" | "today">) {
  if (rates.length === 0)
    return <p className="text-muted">None yet. Until one counts, receipts say nothing about VAT.</p>;
  return (
    <table aria-label="Rates of VAT" className="w-full max-w-120 border-collapse">
      <thead>
        <tr className="border-b border-hairline text-left">
          <th scope="col" className="py-1.5">
            From
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right">
            Rate
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right">
            <span className="sr-only">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rates.map(({ fromDay, tenths }) => (
          <tr key={fromDay} className="border-b border-hairline">
            <td className="py-1.5">
              <Day on={fromDay} look="long" /> <span>{fromDay.slice(0, 4)}</span>
            </td>
            <td className="py-1.5 pl-4 text-right tabular-nums">{vatText(tenths)}</td>
            <td className="py-1.5 pl-4 text-right">
              {fromDay > today && (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="fromDay" value={fromDay} />
                  <Button look="quiet" name="intent" value="remove" aria-label={`Remove the rate from ${fromDay}`}>
                    Remove
                  </Button>
                </Form>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
