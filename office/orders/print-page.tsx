import type { ReactNode } from "react";
import { Button, ButtonLink } from "../frame/button.tsx";
import { PrintIcon } from "../frame/icons.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";

type Props = {
  title: string;
  about: string;
  leftOut: number;
  orders: { number: string }[];
  /** A link to the other document for the same orders. */
  other: { to: string; title: string };
  mayPack: boolean;
  children: ReactNode;
};

/** A page to print. On the screen it looks as printed, with links to the next steps for the same orders. */
export function PrintPage({ title, about, leftOut, orders, other, mayPack, children }: Props) {
  const query = `?numbers=${orders.map(({ number }) => number).join(",")}`;
  return (
    <Page
      title={title}
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
        <ButtonLink look="line" to={other.to + query}>
          {other.title}
        </ButtonLink>
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
