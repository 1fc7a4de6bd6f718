import { lazy, Suspense } from "react";
import { GROWTH_SPANS, type Growth as Sums } from "#app/owner/newsletter/growth.ts";
import { HiddenTable, Spans } from "../frame/chart.tsx";
import { useFilters } from "../frame/list-tools.tsx";
import { Section } from "../frame/page.tsx";

const Chart = lazy(() => import("./growth-chart.tsx"));

const formatter = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
/** The label of a day: 2026-11-22 becomes "22 Nov". */
const nameOf = (day: string) => formatter.format(new Date(`${day}T00:00:00Z`));

/**
 * The new subscribers by day or week. The chart is drawn in the browser; screen readers get a table with the same data.
 */
export function Growth({ all, added, addedBefore, parts, span }: Sums & { span: number }) {
  const filters = useFilters();
  const named = parts.map((part) => ({ ...part, name: nameOf(part.day) }));
  const unit = parts.length < span ? "Week from" : "Day";
  const spans = GROWTH_SPANS.map((days) => ({
    days,
    name: days === 364 ? "Year" : String(days),
    to: filters.to("days", String(days)),
  }));
  return (
    <Section title="Growth" aside={<Spans spans={spans} chosen={span} />}>
      <p className="text-[2rem] leading-9.5 font-bold tracking-tight tabular-nums">{all.toLocaleString("en-GB")}</p>
      <p className="text-muted tabular-nums">
        <span className="font-semibold text-done">+{added}</span> in {span} days, +{addedBefore} in the {span} before
      </p>
      <div className="mt-4 h-52" aria-hidden="true" key={span}>
        <Suspense fallback={null}>
          <Chart parts={named} />
        </Suspense>
      </div>
      <p className="mt-2 text-[0.8125rem] text-muted">People who have unsubscribed since aren’t counted.</p>
      <HiddenTable caption="Growth" heads={[unit, "Came", "Then"]}>
        {named.map((part) => (
          <tr key={part.day}>
            <td>{part.name}</td>
            <td>{part.added}</td>
            <td>{part.all}</td>
          </tr>
        ))}
      </HiddenTable>
    </Section>
  );
}
