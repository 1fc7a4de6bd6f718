import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { Takings as Sums } from "#app/owner/takings.server.ts";
import { HiddenTable, Spans } from "../frame/chart.tsx";
import { Section } from "../frame/page.tsx";

const Chart = lazy(() => import("./takings-chart.tsx"));
const SPANS = [7, 30, 90];

/** What came in, by day, against the days before. The chart is drawn in the browser; the same stands in a table for who does not see it. */
export function Takings({ days, kobo: sum, cents, koboBefore, centsBefore }: Sums) {
  const [params] = useSearchParams();
  const spans = SPANS.map((span) => ({ days: span, name: String(span), to: `?days=${span}` }));
  return (
    <Section title="Takings" aside={<Spans spans={spans} chosen={days.length} />}>
      <p className="text-[2rem] leading-9.5 font-bold tracking-tight tabular-nums">{formatKobo(kobo(sum))}</p>
      <p className="text-muted tabular-nums">
        {formatUsd(usdCents(cents))} <Change now={sum} before={koboBefore} /> the {days.length} days before (
        {formatKobo(kobo(koboBefore))}, {formatUsd(usdCents(centsBefore))})
      </p>
      <div className="mt-4 h-52" aria-hidden="true" key={params.get("days")}>
        <Suspense fallback={null}>
          <Chart days={days} name={(day) => shortName(day, days.length)} />
        </Suspense>
      </div>
      <p className="mt-2 text-[0.8125rem] text-muted">Line: the same day {days.length} days before.</p>
      <HiddenTable
        caption="Takings by day"
        heads={[
          "Day",
          "Naira",
          "Dollars",
          "Orders",
          `Naira ${days.length} days before`,
          `Dollars ${days.length} days before`,
        ]}
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

/** "+5.2% on", "as much as"; nothing to compare with where nothing came in before. */
function Change({ now, before }: { now: number; before: number }) {
  if (now === before) return <>as much as</>;
  if (before === 0) return <>against</>;
  const percent = ((now - before) / before) * 100;
  const color = percent > 0 ? "text-done" : "text-error";
  return (
    <>
      <span className={`font-semibold ${color}`}>
        {percent > 0 ? "+" : "−"}
        {Math.abs(percent).toFixed(1)}%
      </span>{" "}
      on
    </>
  );
}

const format = (parts: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: "UTC" });
  return (day: string) => formatter.format(new Date(`${day}T00:00:00Z`)).replace(",", "");
};
/** 2026-11-22 -> "Sun 22 Nov". */
const dayName = format({ weekday: "short", day: "numeric", month: "short" });
const ofWeek = format({ weekday: "short", day: "numeric" });
const ofMonth = format({ day: "numeric", month: "short" });

/** Under a bar: "Sun 22" in a week, "22 Nov" beyond. */
const shortName = (day: string, span: number) => (span > 7 ? ofMonth(day) : ofWeek(day));
