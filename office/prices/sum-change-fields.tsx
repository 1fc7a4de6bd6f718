import { approximateNaira, type Rate } from "#app/money/exchange-rate.ts";
import { formatNaira, formatRate } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { NAIRA_STEPS } from "#app/owner/prices/sum-change.ts";
import { Field } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";

/** What is wrong with a change that cannot be read. */
export const NO_CHANGE = "Write a percentage like +10% or -5%, or naira like +500 or -250";

type Props = { rate: Rate; by?: string; step?: number; problem?: string };

/** The fields of a change of many sums, in the order in which the change works: by how much, then rounded to what. */
export function SumChangeFields({ rate, by, step = 0, problem }: Props) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Change by" note="percent or naira" problem={problem}>
          <input
            name="by"
            defaultValue={by}
            placeholder="+10% or -250"
            autoComplete="off"
            maxLength={30}
            className="input tabular-nums"
          />
        </Field>
        <Field label="Round to">
          <select name="step" defaultValue={step} className="input">
            {NAIRA_STEPS.map((one) => (
              <option key={one} value={one}>
                {one === 0 ? "No rounding" : `₦${one}`}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Hint className="max-w-160">
        Sums are kept in cents. At {formatRate(rate)} for a dollar one cent is{" "}
        {formatNaira(approximateNaira(usdCents(1), rate))}, so naira are as close to the step as cents allow.
      </Hint>
    </>
  );
}
