import { Bar, BarChart, Tooltip, XAxis, YAxis } from "recharts";

type Part = { name: string; added: number; all: number };

/** A bar chart of new subscribers by day or week. */
export default function GrowthChart({ parts }: { parts: Part[] }) {
  return (
    <BarChart
      responsive
      accessibilityLayer={false} // screen readers get the table instead
      data={parts}
      margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
      className="h-52 w-full text-xs [&_svg]:overflow-visible" // the first label is wider than its bar
      barCategoryGap="14%"
    >
      <XAxis
        dataKey="name"
        tickLine={false}
        axisLine={{ stroke: "var(--color-field)" }}
        interval="equidistantPreserveStart"
        minTickGap={24}
        tick={{ fill: "var(--color-muted)" }}
      />
      <YAxis hide domain={[0, Math.max(1, ...parts.map(({ added }) => added))]} />
      <Tooltip
        cursor={{ fill: "var(--color-linen)" }}
        content={({ active, payload }) => (active ? <Hint part={payload?.[0]?.payload} /> : null)}
      />
      <Bar dataKey="added" isAnimationActive={false} fill="var(--color-palm)" />
    </BarChart>
  );
}

function Hint({ part }: { part?: Part }) {
  if (!part) return null;
  return (
    <div className="rounded-cut border border-hairline bg-white px-3 py-2 tabular-nums shadow-overlay">
      <strong className="block font-semibold">{part.name}</strong>
      {part.added} came<span className="block text-muted">{part.all} then</span>
    </div>
  );
}
