import { countUnits, piecesText } from "#app/cart/cart.ts";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import * as messages from "#app/messages.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { PlacePicture } from "#app/ui/frame/place-picture.tsx";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { longDate } from "#app/ui/long-date.ts";
import { Picture } from "#app/ui/picture.tsx";
import { BuyAgain } from "./again/form.tsx";
import { PickUp } from "./fulfilment/panels.tsx";
import { ReturnLines } from "./returns/lines.tsx";
import { type OrderView, rateOfOrder } from "./view.ts";
import { OrderDetails, OrderStatus, PartRefunded, PaymentReference, WhereItIs } from "./view.tsx";

type Props = { orders: OrderView[]; page: number; hasOlder: boolean };

/** A page of the shopper's orders, newest first. `page` counts from 1. */
export function OrderHistory({ orders, page, hasOlder }: Props) {
  return (
    <details open className="group border-y border-hairline">
      <summary className="flex min-h-14 items-center justify-between">
        <h2 className="headline text-xl">Order History</h2>
        <ChevronIcon className="size-5 group-open:rotate-180" />
      </summary>
      <div className="pb-8">
        {orders.length === 0 && page === 1 ? (
          <div className="grid items-center gap-5 py-4 sm:grid-cols-[14rem_1fr] sm:gap-8">
            <PlacePicture
              name="stack"
              className="aspect-4/3 sm:aspect-square"
              sizes="(min-width: 640px) 14rem, 100vw"
            />
            <div className="grid justify-items-start gap-4">
              <p className="headline text-xl">{messages.account.noOrders}</p>
              <ButtonLink to="/shop">Start Shopping</ButtonLink>
            </div>
          </div>
        ) : (
          <>
            <ul className="grid gap-4">
              {orders.map((order) => (
                <OrderCard key={order.reference} order={order} />
              ))}
            </ul>
            <Pages page={page} hasOlder={hasOlder} />
          </>
        )}
      </div>
    </details>
  );
}

function Pages({ page, hasOlder }: Pick<Props, "page" | "hasOlder">) {
  if (page === 1 && !hasOlder) return null;
  return (
    <nav aria-label="Pages of your orders" className="mt-6 flex flex-wrap justify-between gap-4">
      {page > 1 && (
        <ButtonLink look="outline" to={page === 2 ? "/account" : `/account?page=${page - 1}`}>
          Newer orders
        </ButtonLink>
      )}
      {hasOlder && (
        <ButtonLink look="outline" to={`/account?page=${page + 1}`} className="ml-auto">
          Older orders
        </ButtonLink>
      )}
    </nav>
  );
}

function OrderCard({ order }: { order: OrderView }) {
  const units = countUnits(order.lines);
  return (
    <li className="rounded-cut border border-hairline p-4">
      <details className="group/order">
        <summary className="grid gap-3">
          <span className="flex flex-wrap items-center justify-between gap-2">
            <b className="price">{`Order ${order.number}`}</b>{" "}
            <time dateTime={order.orderedAt.toISOString()} className="price text-sm text-muted">
              {longDate(order.orderedAt)}
            </time>
          </span>{" "}
          <WhereItIs order={order} /> <PartRefunded order={order} /> <ReturnLines order={order} />{" "}
          <OrderStatus status={order.status} />{" "}
          <span className="flex items-end justify-between gap-4">
            <span className="flex gap-2">
              {order.lines.slice(0, 4).map(
                (line, at) =>
                  line.image && (
                    <Picture
                      // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same
                      key={at}
                      image={line.image}
                      sizes="64px"
                      upTo={320}
                      className="w-14"
                    />
                  ),
              )}
            </span>
            <span className="text-right">
              <PricePair
                cents={usdCents(order.totalCents)}
                rate={rateOfOrder(order)}
                charged={kobo(order.kobo)}
                className="justify-end font-bold"
              />{" "}
              <span className="flex items-center gap-1 text-sm text-muted">
                {`${piecesText(units)}, details`} <ChevronIcon className="size-4 group-open/order:rotate-180" />
              </span>
            </span>
          </span>
        </summary>
        <div className="mt-4 grid gap-4 border-t border-hairline pt-4">
          <PickUp order={order} />
          <OrderDetails order={order} />
          <PaymentReference reference={order.reference} />
          <Link
            to={`/order/${order.reference}`}
            className="inline-flex min-h-11 items-center justify-self-start text-palm underline underline-offset-4"
          >
            Open the order
          </Link>
        </div>
      </details>
      {order.saleId && <BuyAgain reference={order.reference} number={order.number} look="quiet" />}
    </li>
  );
}
