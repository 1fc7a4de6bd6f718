import { type Rate, rateText } from "#app/money/exchange-rate.ts";
import { formatRate } from "#app/money/format.ts";
import type { RateRow } from "#app/owner/money/rate.server.ts";
import { Time } from "../frame/times.tsx";

/** All rates, newest first, each with its difference from the one before. */
export function RateHistory({ rows }: { rows: RateRow[] }) {
  return (
    <table aria-label="Rates that were in force" className="rows">
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Set by</th>
          <th scope="col" data-align="end">
            Change
          </th>
          <th scope="col" data-align="end">
            $1
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, at, rate, before, ...row }) => (
          <tr key={id}>
            <td data-slot="about">
              <Time at={at} />
            </td>
            <td data-slot="lead">{setterOf(row)}</td>
            <td data-slot="state" data-align="end" data-tone="muted" className="tabular-nums">
              {before && change(before, rate)}
            </td>
            <td data-slot="sum" data-align="end" data-tone="strong" className="tabular-nums">
              {formatRate(rate)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The person who set the rate, or the service that it came from. */
export function setterOf({ setBy, source }: Pick<RateRow, "setBy" | "source">): string {
  return setBy ?? (source === "owner" ? "By hand" : source);
}

/** The relative change, like "+4.2%". */
function change(before: Rate, now: Rate): string {
  const percent = (Number(rateText(now)) / Number(rateText(before)) - 1) * 100;
  if (percent === 0) return "the same";
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent).toFixed(2)}%`;
}
