import type { ReactNode } from "react";
import { Button, ButtonLink } from "../../frame/button.tsx";
import { PrintIcon } from "../../frame/icons.tsx";
import { Notice } from "../../frame/notice.tsx";
import { Page } from "../../frame/page.tsx";

/** The documents that can be printed for orders, by the last part of their addresses. */
export const DOCUMENTS = { "pick-list": "Pick list", slips: "Packing slips", labels: "Address labels" };
/** And for parcels abroad, by those who may see what was paid. */
export const CUSTOMS = { customs: "Customs forms" };

type Props = {
  kind: keyof typeof DOCUMENTS | keyof typeof CUSTOMS;
  about: string;
  leftOut: number;
  /** The numbers of the orders that are printed. */
  numbers: string[];
  mayPack: boolean;
  mayDeclare: boolean;
  children: ReactNode;
};

/** A page to print. On the screen it looks as printed, with links to the next steps for the same orders. */
export function PrintPage({ kind, about, leftOut, numbers, mayPack, mayDeclare, children }: Props) {
  const titles = { ...DOCUMENTS, ...CUSTOMS };
  const query = `?numbers=${numbers.join(",")}`;
  return (
    <Page
      title={titles[kind]}
      about={about}
      back={{ to: "/orders", title: "Orders" }}
      actions={
        <Button type="button" onPress={() => print()}>
          <PrintIcon className="size-5" />
          Print
        </Button>
      }
    >
      {leftOut > 0 && (
        <div className="print:hidden">
          <Notice kind="error">{leftOut} orders are left out: print them after these.</Notice>
        </div>
      )}
      <p className="mt-3 flex flex-wrap gap-2 print:hidden">
        {Object.entries(mayDeclare ? titles : DOCUMENTS).map(
          ([name, title]) =>
            name !== kind && (
              <ButtonLink key={name} look="line" to={`/orders/${name}${query}`}>
                {title}
              </ButtonLink>
            ),
        )}
        {mayPack && (
          <ButtonLink look="line" to={`/orders/parcels${query}`}>
            Mark as sent
          </ButtonLink>
        )}
      </p>
      <div className="mt-5 print:mt-0">{children}</div>
    </Page>
  );
}

/** The orders that are not printed, each with its reason. `says`: what one order, and what several orders lack. */
export function NotPrinted({
  orders,
  says,
}: {
  orders: { number: string; whyNot?: string }[];
  says: [string, string];
}) {
  if (orders.length === 0) return null;
  return (
    <div className="mb-4 print:hidden">
      <Notice kind="error">
        <strong className="font-semibold">
          {orders.length === 1 ? `1 order ${says[0]}:` : `${orders.length} orders ${says[1]}:`}
        </strong>
        <ul>
          {orders.map(({ number, whyNot }) => (
            <li key={number} className="tabular-nums">
              {number}: {whyNot}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
