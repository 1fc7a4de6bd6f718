import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { countUnits, piecesText } from "#app/cart/cart.ts";
import { plural } from "#app/infra/text/plural.ts";
import { NotPrinted, PrintPage } from "../orders/print/page.tsx";
import { PieceTable } from "../orders/print/piece-table.tsx";
import { pickListToPrint } from "../orders/print/print.server.ts";

export function loader(args: LoaderFunctionArgs) {
  return pickListToPrint(args);
}

/** A pick list for many orders at once: each size once, with its quantity and its orders. */
export default function PickList() {
  const { picked, orders, stay, leftOut, mayPack, mayDeclare } = useLoaderData<typeof loader>();
  const inAll = countUnits(picked.map(({ units }) => ({ quantity: units })));
  const about = `${piecesText(inAll)} for ${plural(orders.length, "order")}`;
  return (
    <PrintPage
      kind="pick-list"
      about={about}
      leftOut={leftOut}
      numbers={orders}
      mayPack={mayPack}
      mayDeclare={mayDeclare}
    >
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
          <PieceTable pieces={picked.map((piece) => ({ ...piece, orders: namesOf(piece.orders) }))} ticked="Picked" />
        )}
      </article>
    </PrintPage>
  );
}

/** The orders that a piece is for, such as "IR-7K3M-2Q × 2" and "IR-4D9T-6H". */
function namesOf(orders: { number: string; units: number }[]): string[] {
  return orders.map(({ number, units }) => (units > 1 ? `${number} × ${units}` : number));
}
