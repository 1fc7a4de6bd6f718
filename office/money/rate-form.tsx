import { useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { approximateNaira, isPlausible, type Rate, readRate } from "#app/money/exchange-rate.ts";
import { formatNaira, formatRate, formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import type { RateRow } from "#app/owner/money/rate.server.ts";
import { Choice, ConflictNotice } from "../conflict/notice.tsx";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Notice } from "../frame/notice.tsx";
import { Time } from "../frame/times.tsx";
import { setterOf } from "./rate-history.tsx";

/** An example price that is shown at the old and the new rate. */
const EXAMPLE = usdCents(4999);

type Props = {
  now: Rate;
  /** The newest stored rate. Undefined if the default rate applies. */
  newest?: RateRow;
  /** The id of the rate that was last set with this form. */
  set?: string;
  /** The server's error message for the last attempt. */
  problem?: string;
  /** Whether the server asks to confirm the rate because it looks like a typing error. */
  isAsked: boolean;
};

/** Compares two rates' ids: whether `one` came into force after `other`. */
export const isLater = (one = "0", other = "0") => BigInt(one) > BigInt(other);
const later = (one = "0", other = "0") => (isLater(one, other) ? one : other);

/**
 * A form to set the rate by hand. If another rate comes into force while typing, the input stays and both rates are
 * shown.
 */
export function RateForm({ set, now, newest, problem, isAsked }: Props) {
  const [typed, setTyped] = useState("");
  const [seen, setSeen] = useState(newest?.id);
  const sent = useRef("");
  useEffect(() => {
    if (set === undefined) return;
    setTyped((now) => (now === sent.current ? "" : now));
    setSeen((before) => later(before, set));
  }, [set]);
  const isPending = useNavigation().formData !== undefined;
  const rate = readRate(typed);
  const isStale = typed !== "" && newest !== undefined && isLater(newest.id, seen);
  const isDoubtful = rate !== undefined && !isPlausible(rate, now);
  return (
    <Form
      method="post"
      className="grid max-w-100 gap-3.5"
      onSubmit={() => {
        sent.current = typed;
      }}
    >
      <input type="hidden" name="intent" value="set" />
      <input type="hidden" name="seen" value={seen ?? ""} />
      <Field label="New rate" note="naira for one dollar" problem={problem}>
        <input
          name="rate"
          inputMode="decimal"
          autoComplete="off"
          placeholder="1534.25"
          value={typed}
          onChange={({ target }) => {
            if (typed === "" && newest) setSeen(later(seen, newest.id)); // `newest` may still lack the rate set here
            setTyped(target.value);
          }}
          className="input tabular-nums"
        />
      </Field>
      <p className="min-h-5 text-muted tabular-nums" aria-live="polite">
        {rate !== undefined && (
          <span>
            {formatUsd(EXAMPLE)}: {formatNaira(approximateNaira(EXAMPLE, now))} →{" "}
            <span className="text-ink">{formatNaira(approximateNaira(EXAMPLE, rate))}</span>
          </span>
        )}
      </p>
      {isStale && newest ? (
        <ConflictNotice
          head={
            <>
              {setterOf(newest)} has set {formatRate(newest.rate)} (<Time at={newest.at} />
              ).
            </>
          }
          choice={<Choice onMine={() => setSeen(newest.id)} />}
        />
      ) : isAsked && rate !== undefined && isDoubtful ? (
        <Notice
          kind="error"
          actions={
            <Button name="agreed" value="yes" isPending={isPending}>
              Yes, set {formatRate(rate)}
            </Button>
          }
        >
          <strong className="font-semibold">More than 25% from the last one.</strong> {formatRate(now)} →{" "}
          {formatRate(rate)}. Is that right? Nothing has been changed yet.
        </Notice>
      ) : (
        <Button
          isPending={isPending}
          isDisabled={typed === ""}
          className="max-lg:min-h-12 max-lg:w-full lg:justify-self-start"
        >
          {isPending ? "Setting…" : "Set the rate"}
        </Button>
      )}
    </Form>
  );
}
