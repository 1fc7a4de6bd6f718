import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { countUnits, piecesText } from "#app/cart/cart.ts";
import { plural } from "#app/infra/text/plural.ts";
import { addressLines } from "#app/shipping/address.ts";
import { wayText } from "#app/shipping/ways/text.ts";
import { Letters } from "#app/ui/frame/wordmark.tsx";
import { Time } from "../frame/times.tsx";
import { PrintPage } from "../orders/print/page.tsx";
import { PieceTable } from "../orders/print/piece-table.tsx";
import { printed } from "../orders/print/print.server.ts";

export function loader(args: LoaderFunctionArgs) {
  return printed(args, "slips");
}

export default function Slips() {
  const { orders, leftOut, mayPack, mayDeclare, shop } = useLoaderData<typeof loader>();
  return (
    <PrintPage
      kind="slips"
      about={`${plural(orders.length, "slip")}, each on a page of A4`}
      leftOut={leftOut}
      numbers={orders.map(({ number }) => number)}
      mayPack={mayPack}
      mayDeclare={mayDeclare}
    >
      <style href="slips" precedence="default">
        {"@page { size: A4; margin: 14mm }"}
      </style>
      {orders.map(({ number, orderedAt, shipping, lines, whyNot }) => (
        <article
          key={number}
          aria-label={`Slip of ${number}`}
          className="mb-5 break-after-page border border-hairline bg-white p-5 last:break-after-auto print:mb-0 print:border-0 print:p-0"
        >
          <header className="flex items-start justify-between gap-4 border-b border-ink pb-3">
            <div>
              <Letters className="mt-1 h-4 w-auto" />
              <p className="mt-2 text-[0.8125rem] leading-4.5">
                {[...shop.lines, shop.phone].filter(Boolean).map((line) => (
                  <span key={line} className="block tabular-nums">
                    {line}
                  </span>
                ))}
              </p>
            </div>
            <p className="text-right">
              <strong className="block text-lg font-bold tabular-nums">{number}</strong>
              <Time at={orderedAt} look="date" />
            </p>
          </header>
          <p className="mt-4">
            <strong className="block">For</strong>
            {addressLines(shipping).map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </p>
          {shipping.deliveryWay && <p className="mt-2 font-semibold">{wayText(shipping.deliveryWay)}</p>}
          <div className="mt-5">
            <PieceTable pieces={lines.map((line) => ({ ...line, units: line.quantity }))} ticked="Packed" />
          </div>
          {whyNot && <p className="mt-3">There’s nothing to pack. {whyNot}.</p>}
          <p className="mt-3 tabular-nums">{piecesText(countUnits(lines))} in all</p>
          <p className="mt-8">
            Thank you for buying at {shop.host}.{" "}
            <span>{`Questions: ${[shop.email, shop.phone].filter(Boolean).join(" or ")}.`}</span>
          </p>
        </article>
      ))}
    </PrintPage>
  );
}
