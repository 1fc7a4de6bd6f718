import type { ReactNode } from "react";
import { Link } from "react-router";

type Props = { spans: { days: number; name: string; to: string }[]; chosen: number };

/** Links to choose the number of days shown. */
export function Spans({ spans, chosen }: Props) {
  return (
    <nav aria-label="Days shown" className="inline-flex rounded-cut border border-field bg-white">
      {spans.map(({ days, name, to }) => (
        <Link
          key={days}
          to={to}
          replace
          preventScrollReset
          aria-current={days === chosen ? "true" : undefined}
          className="grid min-h-11 min-w-11 place-items-center border-hairline px-3 font-medium not-first:border-l aria-[current]:bg-ink aria-[current]:text-paper lg:min-h-8.5 lg:min-w-10"
        >
          {name}{" "}
        </Link>
      ))}
    </nav>
  );
}

/**
 * The data of a chart as a table for screen readers. The hiding class is on the surrounding box, since a table cannot
 * be narrower than its words.
 */
export function HiddenTable({ caption, heads, children }: { caption: string; heads: string[]; children: ReactNode }) {
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
