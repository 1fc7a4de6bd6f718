import { lazy, Suspense } from "react";
import { Form } from "react-router";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { Takings as Sums } from "#app/owner/takings.server.ts";
import { Button } from "../frame/button.tsx";
import { HiddenTable, Spans } from "../frame/chart.tsx";
import { Section } from "../frame/page.tsx";

const Chart = lazy(() => import("./takings-chart.tsx"));
const SPANS = [7, 30, 90];

/** `month`: the shown month, undefined for the last days. `months`: the months to choose from, newest first. */
type Props = Sums & { month?: string; months: string[] };

/**
 * The takings by day, compared with the previous period. The chart is drawn in the browser; screen readers get a table
 * with the same data.
 */
export function Takings({ days, kobo: sum, cents, koboBefore, centsBefore, month, months }: Props) {
  const spans = SPANS.map((span) => ({ days: span, name: String(span), to: `?days=${span}` }));
  const ago = month ? "a month" : `${days.length} days`;
  const today = month && month !== months[0] ? undefined : days.at(-1)?.day;
  return (
    <Section
      title="Takings"
      aside={
        <div className="flex flex-wrap gap-2">
          <Months month={month} months={months} />
          <Spans spans={spans} chosen={month ? 0 : days.length} />
        </div>
      }
    >
      <p className="text-[2rem] leading-9.5 font-bold tracking-tight tabular-nums">{formatKobo(kobo(sum))}</p>
      <p className="text-muted tabular-nums">
        {formatUsd(usdCents(cents))} <Change now={sum} before={koboBefore} /> the{" "}
        <span>{month ? "same days of the month before" : `${ago} before`}</span> ({formatKobo(kobo(koboBefore))},{" "}
        {formatUsd(usdCents(centsBefore))})
      </p>
      <div className="mt-4 h-52" aria-hidden="true" key={month ?? days.length}>
        <Suspense fallback={null}>
          <Chart days={days} today={today} name={(day) => shortName(day, days.length)} />
        </Suspense>
      </div>
      <p className="mt-2 text-[0.8125rem] text-muted">Line: the same day {ago} before.</p>
      <HiddenTable
        caption="Takings by day"
        heads={["Day", "Naira", "Dollars", "Orders", `Naira ${ago} before`, `Dollars ${ago} before`]}
      >
        {days.map((day) => (
          <tr key={day.day}>
            <td>{dayName(day.day)}</td>
            <td>{formatKobo(kobo(day.kobo))}</td>
            <td>{formatUsd(usdCents(day.cents))}</td>
            <td>{day.orders}</td>
            <td>{formatKobo(kobo(day.koboBefore))}</td>
            <td>{formatUsd(usdCents(day.centsBefore))}</td>
          </tr>
        ))}
      </HiddenTable>
    </Section>
  );
}

function Months({ month, months }: Pick<Props, "month" | "months">) {
  return (
    <Form key={month} action="/" preventScrollReset className="flex gap-2">
      <select name="month" aria-label="Month" defaultValue={month ?? ""} className="input w-auto!">
        <option value="">Month</option>
        {months.map((one) => (
          <option key={one} value={one}>
            {monthName(`${one}-01`)}
          </option>
        ))}
      </select>
      <Button look="line">Show</Button>
    </Form>
  );
}

/**
 * The comparison with the previous period: "+5.2% on" or "as much as". Without a percentage if nothing came in then.
 */
function Change({ now, before }: { now: number; before: number }) {
  if (now === before) return <span>as much as</span>;
  if (before === 0) return <span>against</span>;
  const percent = ((now - before) / before) * 100;
  const color = percent > 0 ? "text-done" : "text-error";
  return (
    <span>
      <span className={`font-semibold ${color}`}>
        <span>{percent > 0 ? "+" : "−"}</span>
        {Math.abs(percent).toFixed(1)}%
      </span>{" "}
      on
    </span>
  );
}

const format = (parts: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: "UTC" });
  return (day: string) => formatter.format(new Date(`${day}T00:00:00Z`)).replace(",", "");
};
/** A day like 2026-11-22 as "Sun 22 Nov". */
const dayName = format({ weekday: "short", day: "numeric", month: "short" });
const monthName = format({ month: "long", year: "numeric" });
const ofWeek = format({ weekday: "short", day: "numeric" });
const ofMonth = format({ day: "numeric", month: "short" });

/** The label of a bar: "Sun 22" within a week, "22 Nov" in longer periods. */
const shortName = (day: string, span: number) => (span > 7 ? ofMonth(day) : ofWeek(day));
