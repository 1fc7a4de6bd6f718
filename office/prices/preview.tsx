import { plural } from "#app/infra/text/plural.ts";
import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import { Notice } from "../frame/notice.tsx";
import { Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { AgreeForm } from "./agree-form.tsx";
import type { SalePreview } from "./sale-preview.ts";

type Row = SalePreview["rows"][number];

/** The preview of a plan of sale prices, with the button that saves the plan. */
export function Preview({ sale: { typed, rows, count, withoutOld }, rate }: { sale: SalePreview; rate: Rate }) {
  return (
    <Section title={plural(count, "sale price")}>
      {withoutOld > 0 && (
        <Notice kind="info">
          <strong>{`${withoutOld} of ${count}`}</strong> did not cost more in the 30 days before. Shoppers see their
          sale price alone: no old price is struck beside it, and they aren’t listed under “On sale”.
        </Notice>
      )}
      <table
        aria-label="Sale prices"
        className="mt-3 w-full text-left [&_:is(td,th)]:py-2 [&_:is(td,th)]:pr-3 [&_tr]:border-b [&_tr]:border-hairline"
      >
        <thead className="text-muted">
          <tr>
            <th scope="col">Product</th>
            <th scope="col" className="text-right max-lg:hidden">
              Normal
            </th>
            <th scope="col" className="text-right">
              On sale
            </th>
            <th scope="col">Struck beside it</th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                {row.title}{" "}
                <span className="text-muted">{[row.color, row.hidden && "not shown"].filter(Boolean).join(", ")}</span>
              </td>
              <td className="text-right text-muted max-lg:hidden">{formatUsd(usdCents(row.normalCents))}</td>
              <td className="text-right">
                {formatUsd(usdCents(row.priceCents))}{" "}
                <span className="block text-[0.8125rem] text-muted">
                  {formatKobo(chargeInKobo(usdCents(row.priceCents), rate))}
                </span>
              </td>
              <td>
                <Old row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > rows.length && <p className="mt-3 text-muted">{`and ${count - rows.length} more`}</p>}
      <AgreeForm typed={{ ...typed, agreed: "on" }}>{`Save ${plural(count, "sale price")}`}</AgreeForm>
    </Section>
  );
}

/** The old price, or the reason why there is none and the day from which there would be an old price. */
function Old({ row: { oldCents, oldFrom } }: { row: Row }) {
  if (oldCents !== null) return <s>{formatUsd(usdCents(oldCents))}</s>;
  if (!oldFrom) return <span className="text-muted">none: it hasn’t cost more in the 30 days before</span>;
  return (
    <span className="text-muted">
      none: it has cost this little in the 30 days before. From <Time at={oldFrom} look="date" /> on there would be one
    </span>
  );
}
