import type { ReactNode } from "react";

type Props = { caption: string; heads: string[]; children: ReactNode };

/** A table with a row for each size. `heads`: the names of its measures; `children`: its rows. */
export function SizeTable({ caption, heads, children }: Props) {
  return (
    <table className="price w-full text-left text-sm [&_tbody_tr]:border-t [&_tbody_tr]:border-hairline [&_:is(td,th)]:py-2 [&_:is(td,th)]:pr-3">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Size</th>
          {heads.map((head) => (
            <th scope="col" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
