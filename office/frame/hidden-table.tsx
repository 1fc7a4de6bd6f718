import type { ReactNode } from "react";

/** What a chart shows, for who does not see it. A table is never narrower than its words: what cuts it off is around it. */
export function HiddenTable({ caption, heads, children }: { caption: string; heads: string[]; children: ReactNode }) {
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
