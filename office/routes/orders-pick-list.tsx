import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { countUnits, piecesText } from "#app/cart/cart.ts";
import { sizeName } from "#app/catalog/sizes.ts";
import { plural } from "#app/infra/text/plural.ts";
import { PieceImage } from "../orders/pieces.tsx";
import { pickListToPrint } from "../orders/print.server.ts";
import { NotPrinted, PrintPage } from "../orders/print-page.tsx";

export function loader(args: LoaderFunctionArgs) {
  return pickListToPrint(args);
}

/** What to fetch from the shelves for many orders at once: each size once, with how many and for which orders. */
export default function PickList() {
  const { picked, orders, stay, leftOut, mayPack } = useLoaderData<typeof loader>();
  const inAll = countUnits(picked.map(({ units }) => ({ quantity: units })));
  const about = `${piecesText(inAll)} for ${plural(orders.length, "order")}`;
  return (
    <PrintPage kind="pick-list" about={about} leftOut={leftOut} numbers={orders} mayPack={mayPack}>
      <style href="pick-list" precedence="default">
        {"@page { size: A4; margin: 14mm }"}
      </style>
      <NotPrinted orders={stay} says={["isn’t on the list", "aren’t on the list"]} />
      <article
        aria-label="Pick list"
        className="border border-hairline bg-white p-5 max-lg:p-3 print:border-0 print:p-0"
      >
        <p className="hidden font-bold print:block">Pick list: {about}</p>
        {picked.length === 0 ? (
          <p>There’s nothing to pick.</p>
        ) : (
          <table className="w-full border-collapse">
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
                <th scope="col" className="py-1.5 pl-4 max-sm:hidden print:table-cell">
                  For
                </th>
                <th scope="col" className="w-16 py-1.5 pl-4 text-right max-sm:hidden print:table-cell">
                  Picked
                </th>
              </tr>
            </thead>
            <tbody>
              {picked.map((piece) => (
                <tr
                  key={`${piece.productId} ${piece.size} ${piece.color}`}
                  className="break-inside-avoid border-b border-hairline"
                >
                  <td className="w-14 py-2">
                    <PieceImage line={piece} width={40} />
                  </td>
                  <td className="py-2">
                    <strong className="font-semibold">{piece.title}</strong>{" "}
                    <span className="block">{piece.color}</span>{" "}
                    <span className="block text-muted tabular-nums sm:hidden print:hidden">
                      {ordersText(piece.orders)}
                    </span>
                  </td>
                  <td className="py-2 pl-4 text-base font-semibold">{sizeName(piece.size)}</td>
                  <td className="py-2 pl-4 text-right text-base font-semibold tabular-nums">{piece.units}</td>
                  <td className="py-2 pl-4 tabular-nums max-sm:hidden print:table-cell">{ordersText(piece.orders)}</td>
                  <td className="py-2 pl-4 max-sm:hidden print:table-cell">
                    <span className="ml-auto block size-5 border border-ink" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </article>
    </PrintPage>
  );
}

/** The orders that a piece is for, such as "IR-7K3M-2Q × 2, IR-4D9T-6H". */
function ordersText(orders: { number: string; units: number }[]): string {
  return orders.map(({ number, units }) => (units > 1 ? `${number} × ${units}` : number)).join(", ");
}
