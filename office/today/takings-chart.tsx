import { Bar, BarChart, Tooltip, XAxis, YAxis } from "recharts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { TakingsDay } from "#app/owner/takings.server.ts";

/** `today` is undefined if the chart does not contain it. */
type Props = { days: TakingsDay[]; today: string | undefined; name: (day: string) => string };

/**
 * A bar for each day, with today's in full colour, and a line at the value of the corresponding day of the previous
 * period.
 */
export default function TakingsChart({ days, today, name }: Props) {
  const most = Math.max(1, ...days.flatMap(({ kobo: now, koboBefore }) => [now, koboBefore]));
  const rows = days.map((day) => ({ ...day, name: name(day.day) }));
  return (
    <BarChart
      responsive
      accessibilityLayer={false} // screen readers get the table instead
      data={rows}
      margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
      className="h-52 w-full text-xs [&_svg]:overflow-visible" // the first label is wider than its bar
      barCategoryGap="14%"
    >
      <XAxis
        dataKey="name"
        tickLine={false}
        axisLine={{ stroke: "var(--color-field)" }}
        interval={days.length > 7 ? "equidistantPreserveStart" : 0}
        minTickGap={24}
        tick={{ fill: "var(--color-muted)" }}
      />
      <YAxis hide domain={[0, most]} />
      <Tooltip
        cursor={{ fill: "var(--color-linen)" }}
        content={({ active, payload }) => (active ? <Hint day={payload?.[0]?.payload} /> : null)}
      />
      <Bar
        dataKey="kobo"
        isAnimationActive={false}
        shape={({ x, y, width, height, background, payload }) => (
          <>
            <rect
              x={x}
              y={y}
              width={width}
              height={Math.max(height, 0)}
              fill={payload.day === today ? "var(--color-palm)" : "#b9cdbf"}
            />
            {payload.koboBefore > 0 && (
              <rect
                x={x - 3}
                y={(background?.y ?? 0) + (background?.height ?? 0) * (1 - payload.koboBefore / most) - 1}
                width={width + 6}
                height={2}
                fill="var(--color-ink)"
              />
            )}
          </>
        )}
      />
    </BarChart>
  );
}

function Hint({ day }: { day?: TakingsDay & { name: string } }) {
  if (!day) return null;
  return (
    <div className="rounded-cut border border-hairline bg-white px-3 py-2 tabular-nums shadow-overlay">
      <strong className="block font-semibold">{day.name}</strong>
      {formatKobo(kobo(day.kobo))}, {formatUsd(usdCents(day.cents))}
      <span className="block">
        {day.orders} <span>{day.orders === 1 ? "order" : "orders"}</span>
      </span>
      <span className="block text-muted">
        before: {formatKobo(kobo(day.koboBefore))}, {formatUsd(usdCents(day.centsBefore))}
      </span>
    </div>
  );
}
