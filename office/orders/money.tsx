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
