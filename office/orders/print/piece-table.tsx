import { Fragment } from "react";
import { sizeName } from "#app/catalog/sizes.ts";
import type { OrderLine } from "#db/types.ts";
import { PieceImage } from "../pieces.tsx";

type Piece = Pick<OrderLine, "productId" | "title" | "color" | "size" | "image"> & {
  units: number;
  /** The orders that the piece is for, each with its number of pieces. */
  orders?: string[];
};

/** Shown on paper, and on screens that are wide enough. */
const WIDE = "max-sm:hidden print:table-cell";

/** Pieces as a printed table with a box to tick for each. `ticked`: what a tick means, such as "Packed". */
export function PieceTable({ pieces, ticked }: { pieces: Piece[]; ticked: string }) {
  const hasOrders = pieces.some(({ orders }) => orders !== undefined);
  return (
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
          {hasOrders && (
            <th scope="col" className={`py-1.5 pl-4 ${WIDE}`}>
              For
            </th>
          )}
          <th scope="col" className={`w-16 py-1.5 pl-4 text-right ${WIDE}`}>
            {ticked}
          </th>
        </tr>
      </thead>
      <tbody>
        {pieces.map(({ orders, ...piece }) => (
          <tr
            key={`${piece.productId} ${piece.size} ${piece.color}`}
            className="break-inside-avoid border-b border-hairline"
          >
            <td className="w-14 py-2">
              <PieceImage line={piece} width={40} />
            </td>
            <td className="py-2">
              <strong className="font-semibold">{piece.title}</strong> <span className="block">{piece.color}</span>{" "}
              {orders && (
                <span className="block text-muted tabular-nums sm:hidden print:hidden">
                  <Orders orders={orders} />
                </span>
              )}
            </td>
            <td className="py-2 pl-4 text-base font-semibold">{sizeName(piece.size)}</td>
            <td className="py-2 pl-4 text-right text-base font-semibold tabular-nums">{piece.units}</td>
            {hasOrders && (
              <td className={`py-2 pl-4 tabular-nums ${WIDE}`}>
                <Orders orders={orders ?? []} />
              </td>
            )}
            <td className={`py-2 pl-4 ${WIDE}`}>
              <span className="ml-auto block size-5 border border-ink" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** No line breaks within an order's number. */
function Orders({ orders }: { orders: string[] }) {
  return orders.map((order, at) => (
    <Fragment key={order}>
      {at > 0 && " "}
      <span className="whitespace-nowrap">
        {order}
        {at < orders.length - 1 && ","}
      </span>
    </Fragment>
  ));
}
