import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import { Notice } from "../frame/notice.tsx";

type Row = { label: string; naira: string; dollars: string; isStrong?: boolean; isTotal?: boolean };

/** A table of sums in naira and dollars. */
export function MoneyRows({ rows }: { rows: Row[] }) {
  return (
    <table className="w-full border-collapse">
      <tbody>
        {rows.map(({ label, naira, dollars, isStrong, isTotal }) => (
          <tr key={label} className={isTotal ? "border-t border-hairline" : undefined}>
            <th scope="row" className={`py-1.5 text-left ${isTotal ? "font-semibold" : "font-normal"}`}>
              {label}
            </th>
            <td
              className={`w-px py-1.5 pl-5 text-right whitespace-nowrap tabular-nums ${isStrong ? "font-bold" : isTotal ? "font-semibold" : ""}`}
            >
              {naira}
            </td>
            <td className="w-px py-1.5 pl-5 text-right whitespace-nowrap text-muted tabular-nums">{dollars}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Back = {
  provider: string | null;
  refundedKobo: number;
  refundingKobo: number;
  providerRefundedKobo: number | null;
};

/** A warning if the provider's total of refunds differs from the shop's. */
export function ProviderNotice({ provider, refundedKobo, refundingKobo, providerRefundedKobo: theirs }: Back) {
  if (provider === null || theirs === null || theirs === refundedKobo || refundingKobo > 0) return null;
  return (
    <Notice kind="error">
      {descriptionOf(provider).name} says that {formatKobo(kobo(theirs))} have gone back, and the shop{" "}
      {formatKobo(kobo(refundedKobo))}. Compare it with the dashboard.
    </Notice>
  );
}
