import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { countUnits, piecesText } from "#app/cart/cart.ts";
import { sizeName } from "#app/catalog/sizes.ts";
import { plural } from "#app/infra/text/plural.ts";
import { addressLines } from "#app/shipping/address.ts";
import { Letters } from "#app/ui/frame/wordmark.tsx";
import { Time } from "../frame/times.tsx";
import { PieceImage } from "../orders/pieces.tsx";
import { printed } from "../orders/print.server.ts";
import { PrintPage } from "../orders/print-page.tsx";

export function loader(args: LoaderFunctionArgs) {
  return printed(args, "slips");
}

export default function Slips() {
  const { orders, leftOut, mayPack, shop } = useLoaderData<typeof loader>();
  return (
    <PrintPage
      kind="slips"
      about={`${plural(orders.length, "slip")}, each on a page of A4`}
      leftOut={leftOut}
      numbers={orders.map(({ number }) => number)}
      mayPack={mayPack}
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
            <Letters className="mt-1 h-4 w-auto" />
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
          <table className="mt-5 w-full border-collapse">
            <thead>
              <tr className="border-b border-ink text-left">
                <th scope="col" className="py-1.5" colSpan={2}>
                  Piece
                </th>
                <th scope="col" className="py-1.5 pl-4">
                  Size
                </th>
                <th scope="col" className="py-1.5 pl-4 text-right">
                  Number
                </th>
                <th scope="col" className="w-16 py-1.5 pl-4 text-right">
                  Packed
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr
                  key={`${line.productId} ${line.size} ${line.color}`}
                  className="break-inside-avoid border-b border-hairline"
                >
                  <td className="w-14 py-2">
                    <PieceImage line={line} width={40} />
                  </td>
                  <td className="py-2">
                    <strong className="font-semibold">{line.title}</strong> <span className="block">{line.color}</span>
                  </td>
                  <td className="py-2 pl-4 text-base font-semibold">{sizeName(line.size)}</td>
                  <td className="py-2 pl-4 text-right text-base font-semibold tabular-nums">{line.quantity}</td>
                  <td className="py-2 pl-4">
                    <span className="ml-auto block size-5 border border-ink" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {whyNot && <p className="mt-3">There’s nothing to pack. {whyNot}.</p>}
          <p className="mt-3 tabular-nums">{piecesText(countUnits(lines))} in all</p>
          <p className="mt-8">
            Thank you for buying at {shop.host}. <span>{shop.email && `Questions: ${shop.email}.`}</span>
          </p>
        </article>
      ))}
    </PrintPage>
  );
}
