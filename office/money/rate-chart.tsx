import { Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";

export type RatePoint = { at: number; rate: number };
type Props = { points: RatePoint[]; day: (at: number) => string; naira: (rate: number) => string };

/** The rate over time, as steps: a rate stays in force until the next one. */
export default function RateChart({ points, day, naira }: Props) {
  return (
    <LineChart
      responsive
      accessibilityLayer={false} // the history table has the same data
      data={points}
      margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      className="h-52 w-full text-xs"
    >
      <XAxis
        dataKey="at"
        type="number"
        scale="time"
        domain={["dataMin", "dataMax"]}
        tickFormatter={day}
        tickLine={false}
        tickCount={5}
        minTickGap={32}
        axisLine={{ stroke: "var(--color-field)" }}
        tick={{ fill: "var(--color-muted)" }}
      />
      <YAxis
        width={56}
        domain={["auto", "auto"]}
        tickFormatter={naira}
        tickCount={4}
        tickLine={false}
        axisLine={false}
        tick={{ fill: "var(--color-muted)" }}
      />
      <Tooltip
        cursor={{ stroke: "var(--color-field)" }}
        content={({ active, payload }) => {
          const point: RatePoint | undefined = active ? payload?.[0]?.payload : undefined;
          return point ? (
            <div className="rounded-cut border border-hairline bg-white px-3 py-2 tabular-nums shadow-overlay">
              <strong className="block font-semibold">{naira(point.rate)}</strong>
              {day(point.at)}
            </div>
          ) : null;
        }}
      />
      <Line
        dataKey="rate"
        type="stepAfter"
        stroke="var(--color-palm)"
        strokeWidth={2}
        dot={false}
        isAnimationActive={false}
      />
    </LineChart>
  );
}
