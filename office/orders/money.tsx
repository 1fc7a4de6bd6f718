import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { Notice } from "../frame/notice.tsx";

type Row = { label: string; naira: string; dollars: string; isStrong?: boolean; isTotal?: boolean };

/** Sums in both currencies, one below the other. */
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

type Back = { refundedKobo: number; refundingKobo: number; providerRefundedKobo: number | null };

/** Says where the provider's figure of what has gone back is another one than the shop's. */
export function ProviderNotice({ refundedKobo, refundingKobo, providerRefundedKobo: theirs }: Back) {
  if (theirs === null || theirs === refundedKobo || refundingKobo > 0) return null;
  return (
    <Notice kind="error">
      Paystack says that {formatKobo(kobo(theirs))} have gone back, and the shop {formatKobo(kobo(refundedKobo))}.
      Compare it with the dashboard.
    </Notice>
  );
}
