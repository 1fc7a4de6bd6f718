import type { ReactNode } from "react";
import * as messages from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { OrderLines, SumsList } from "#app/orders/summary.tsx";
import { rateOfOrder, sumsOfOrder } from "#app/orders/view.ts";
import { AddressLines } from "#app/shipping/address-lines.tsx";
import { isNigeria } from "#app/shipping/nigeria.ts";
import { orderDeliveryName } from "#app/shipping/place/place.ts";
import { FormError } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import type { OrderLine, ShippingDetails } from "#db/types.ts";

/** An order that a link asks to pay for, as everybody who has the link may see it. */
export type OrderToPay = {
  number: string;
  lines: OrderLine[];
  sums: { subtotalCents: number; shippingCents: number; totalCents: number; kobo: number; rate: string };
  /** Until when its items are held, with day and time. */
  until: string;
};

/** The naira sum of an order, such as "₦65,008". */
export const sumToPay = ({ sums }: OrderToPay) => formatKobo(kobo(sums.kobo));

/** The page of an order to pay for. `shipping` is given only to whom the order belongs. */
export function ToPayPage({
  order,
  title,
  note,
  problem,
  shipping,
  isOwn,
  children,
}: {
  order: OrderToPay;
  title: string;
  /** What stands below the title. */
  note?: ReactNode;
  problem?: string | false;
  shipping?: ShippingDetails | null;
  /** Whether the link is sent to the customer, and not to somebody else who pays. */
  isOwn: boolean;
  /** How to pay. */
  children: ReactNode;
}) {
  const { number, lines, sums, until } = order;
  const rate = rateOfOrder(sums);
  return (
    <main className="page grid max-w-[48rem] gap-8 py-7 lg:py-12">
      <div className="grid gap-2">
        <p className="price text-muted">{`Order ${number}`}</p>
        <h1 className="headline text-3xl sm:text-5xl">{title}</h1>
        {note}
        <p className="text-lg">
          {`${sumToPay(order)} in all. We hold these items ${isOwn ? "for you " : ""}at this price until ${until}.`}
        </p>
      </div>
      <FormError>{problem}</FormError>
      <section aria-labelledby="what" className="grid gap-6 bg-linen p-4 sm:p-7">
        <h2 id="what" className="headline text-lg">
          What it’s for
        </h2>
        <OrderLines lines={lines} rate={rate} />
        <SumsList
          sums={sumsOfOrder(sums)}
          rate={rate}
          delivery={shipping ? { name: orderDeliveryName(shipping) } : undefined}
        />
        {shipping && (
          <div>
            <h3 className="label mb-1">{shipping.deliveryType || "Delivery"}</h3>
            <AddressLines shipping={shipping} />
            {!isNigeria(shipping.country) && <p className="mt-2 text-muted">{messages.order.duties}</p>}
          </div>
        )}
      </section>
      {children}
      <Help about={isOwn ? `my order ${number}` : `order ${number}`} />
    </main>
  );
}

/** The page of a link by which nothing can be paid now. */
export function ClosedLink({ number, isOwn, children }: { number: string; isOwn: boolean; children: ReactNode }) {
  return (
    <Notice title={`Order ${number}`}>
      <p className="text-lg">{children}</p>
      <Help about={isOwn ? `my order ${number}` : `order ${number}`} />
    </Notice>
  );
}
