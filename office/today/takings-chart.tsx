import { Bar, ComposedChart, Scatter, Tooltip, XAxis, YAxis } from "recharts";
import type { TakingsDay } from "#app/owner/takings.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";

type Props = { days: TakingsDay[]; name: (day: string) => string };

/** A bar for each day, today's in full colour, and a line at the height of the same day one span before. */
export default function TakingsChart({ days, name }: Props) {
  const today = days.at(-1)?.day;
  const rows = days.map((day) => ({ ...day, name: name(day.day) }));
  return (
    <ComposedChart responsive data={rows} margin={{ top: 8, right: 0, bottom: 0, left: 0 }} className="h-52 w-full text-xs" barCategoryGap="18%">
      <XAxis dataKey="name" tickLine={false} axisLine={{ stroke: "var(--color-field)" }} interval="preserveStartEnd" minTickGap={24} tick={{ fill: "var(--color-muted)" }} />
      <YAxis hide domain={[0, "dataMax"]} />
      <Tooltip
        cursor={{ fill: "var(--color-linen)" }}
        content={({ active, payload }) => (active ? <Hint day={payload?.[0]?.payload} /> : null)}
      />
      <Bar
        dataKey="kobo"
        isAnimationActive={false}
        shape={({ x, y, width, height, payload }: BarShape) => (
          <rect x={x} y={y} width={width} height={Math.max(height, 0)} fill={payload.day === today ? "var(--color-palm)" : "#b9cdbf"} />
        )}
      />
      <Scatter
        dataKey="koboBefore"
        isAnimationActive={false}
        shape={({ cx, cy, xAxis }: PointShape) => {
          const half = ((xAxis?.bandSize ?? 16) * 0.92) / 2;
          return <rect x={cx - half} y={cy - 1} width={2 * half} height={2} fill="var(--color-ink)" />;
        }}
      />
    </ComposedChart>
  );
}

type BarShape = { x: number; y: number; width: number; height: number; payload: TakingsDay };
type PointShape = { cx: number; cy: number; xAxis?: { bandSize?: number } };

function Hint({ day }: { day?: TakingsDay & { name: string } }) {
  if (!day) return null;
  return (
    <div className="rounded-cut border border-hairline bg-white px-3 py-2 tabular-nums shadow-overlay">
      <strong className="block font-semibold">{day.name}</strong>
      {formatKobo(kobo(day.kobo))}, {day.orders} {day.orders === 1 ? "order" : "orders"}
      <span className="block text-muted">before: {formatKobo(kobo(day.koboBefore))}</span>
    </div>
  );
}
