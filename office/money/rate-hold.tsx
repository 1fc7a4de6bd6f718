import { Form, useNavigation } from "react-router";
import { formatKobo, formatRate } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import type { RateHold } from "#app/owner/money/rate-hold.server.ts";
import { Button } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { Field } from "../frame/field.tsx";
import { Time } from "../frame/times.tsx";

type Props = {
  hold?: RateHold;
  /** The last day until which the rate can be held, like 2026-12-24. */
  latest: string;
  /** The text that was posted and refused, and why. */
  typed?: string;
  problem?: string;
};

/** The form that holds the rate until a day. While a rate is held, also what that costs, and a button to stop. */
export function RateHolding({ hold, latest, typed, problem }: Props) {
  const isPending = useNavigation().formData?.get("intent") === "hold";
  return (
    <section className="mt-8 grid max-w-100 gap-3.5">
      <h3 className="font-semibold">{hold ? "Held" : "Hold this rate"}</h3>
      {hold ? (
        <Held hold={hold} />
      ) : (
        <p className="text-muted">
          Until then, new rates from the service don’t change your prices. Setting a rate ends the hold.
        </p>
      )}
      <Form method="post" className="grid gap-3.5">
        <input type="hidden" name="intent" value="hold" />
        <Field label="Until" note="the end of that day" problem={problem}>
          <input type="date" name="until" max={latest} defaultValue={typed} required className="input tabular-nums" />
        </Field>
        <Button look="line" isPending={isPending} className="max-lg:min-h-12 max-lg:w-full lg:justify-self-start">
          {hold ? "Change the day" : "Hold the rate"}
        </Button>
      </Form>
    </section>
  );
}

function Held({ hold }: { hold: RateHold }) {
  const { until, by, market, costKobo } = hold;
  return (
    <>
      <p>
        <span>
          Until <Time at={until} />
        </span>
        {by && <span>, by {by}</span>}
      </p>
      {market !== undefined && (
        <p className="tabular-nums">
          The service gives {formatRate(market)} now.{" "}
          <span>{costKobo < 0 ? "So far the hold has brought you " : "So far the hold has cost you "}</span>
          <strong className="font-semibold">{formatKobo(kobo(Math.abs(costKobo)))}</strong>, compared with the service’s
          rates when each order was paid.
        </p>
      )}
      <div>
        <Confirm
          title="Stop holding"
          question={
            market === undefined
              ? `${formatRate(hold.rate)} then stays in force until another rate is set.`
              : `One dollar then costs ${formatRate(market)}.`
          }
          submit="Stop holding"
          intent="release"
        />
      </div>
    </>
  );
}
