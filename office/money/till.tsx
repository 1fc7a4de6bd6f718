import { Form, useNavigation } from "react-router";
import { formatSignedKobo } from "#app/money/format.ts";
import type { Till, TillCount } from "#app/owner/money/till.server.ts";
import { SaveButton } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Notice } from "../frame/notice.tsx";
import { Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";

type Props = {
  till: Till;
  /** The text of a refused form, why it was refused, and whether it was because somebody has moved or counted cash. */
  typed?: string;
  problem?: string;
  isStale: boolean;
  done?: string;
};

/** The form for a count of the cash in the till, and the earlier counts. */
export function TillCounting({ till, typed, problem, isStale, done }: Props) {
  const { expected, counts } = till;
  const isPending = useNavigation().formData?.get("intent") === "count";
  return (
    <Section title="Cash in the till">
      {done !== undefined && <Notice kind="done">{done}</Notice>}
      {isStale && (
        <Notice kind="conflict">
          {`Cash was moved or counted meanwhile, and there should be ${formatSignedKobo(expected)} now. Nothing was saved: count again.`}
        </Notice>
      )}
      <p className="mb-4 max-w-160">
        There should be <strong className="font-semibold tabular-nums">{formatSignedKobo(expected)}</strong>:{" "}
        <span>
          {counts.length > 0
            ? "the last count, and what was taken in cash since then, less what was given back."
            : "what was taken in cash, less what was given back."}
        </span>
      </p>
      <Form key={counts[0]?.id} method="post" preventScrollReset className="mb-6 grid max-w-100 gap-3.5">
        <input type="hidden" name="intent" value="count" />
        <input type="hidden" name="seen" value={expected} />
        <Field label="Counted" note="naira" problem={problem}>
          <input
            name="counted"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={typed}
            placeholder="45,000"
            className="input tabular-nums"
          />
        </Field>
        <SaveButton
          label="Save the count"
          look="line"
          isPending={isPending}
          className="max-lg:min-h-12 max-lg:w-full lg:justify-self-start"
        />
      </Form>
      {counts.length > 0 && <Counts counts={counts} />}
    </Section>
  );
}

function Counts({ counts }: { counts: TillCount[] }) {
  return (
    <table aria-label="Counts of the till" className="rows mb-6">
      <thead>
        <tr>
          {["Counted", "By", "Expected", "In the till", "Difference"].map((head, at) => (
            <th scope="col" key={head} data-align={at > 1 ? "end" : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {counts.map(({ id, at, by, expected, counted }) => (
          <tr key={id}>
            <td data-slot="about">
              <Time at={at} />
            </td>
            <td data-slot="lead">{by}</td>
            <td data-slot="" data-align="end" className="tabular-nums">
              {formatSignedKobo(expected)}
            </td>
            <td data-slot="sum" data-align="end" data-tone="strong" className="tabular-nums">
              {formatSignedKobo(counted)}
            </td>
            <td data-slot="state" data-align="end" className="tabular-nums">
              {counted === expected ? "none" : formatSignedKobo(counted - expected)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
