import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { addressLines } from "#app/shipping/address.ts";
import { orderDeliveryName } from "#app/shipping/place/place.ts";
import { CheckIcon, ClockIcon, ReturnIcon } from "#app/ui/icons.tsx";
import { OrderLines, SumsList } from "./summary.tsx";
import { backTexts, type OrderView, partTexts, rateOfOrder, refundedKobo, sumsOfOrder } from "./view.ts";

/** A green check for a completed order, otherwise its status in words with an icon. */
export function OrderStatus({ status }: { status: OrderView["status"] }) {
  const done = status === "completed";
  const Icon = done ? CheckIcon : status === "Refunded" ? ReturnIcon : ClockIcon;
  return (
    <span className={`inline-flex items-center gap-2 font-semibold ${done ? "text-palm" : "text-ember-deep"}`}>
      <Icon className="size-5" />
      {status || "Processing"}
    </span>
  );
}

/** How much of a sale's money has gone back, and how much is on its way; nothing where there is none, or where it is all. */
export function PartRefunded({ order: { state, refunds } }: { order: OrderView }) {
  if (state !== "sold" || refunds.length === 0) return null;
  const done = refundedKobo(refunds, { isDone: true });
  const underWay = refundedKobo(refunds, { isDone: false });
  return (
    <span className="block text-sm">
      {done > 0 && "Refunded in part: "}
      {backTexts(done, underWay).join(", ")}
    </span>
  );
}

/** What each part of the money was given back for. */
function RefundList({ refunds, lines }: Pick<OrderView, "refunds" | "lines">) {
  if (refunds.length === 0) return null;
  return (
    <div>
      <h3 className="label mb-1">Refunds</h3>
      <ul className="grid gap-1">
        {refunds.map((refund) => (
          <li key={`${refund.at} ${refund.kobo}`}>
            {formatKobo(kobo(refund.kobo))} {refund.isDone ? "has gone back" : "is on its way back"}
            {partTexts(lines, refund).map((part) => `, ${part}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where a sold order is, who carries it and under which number. */
export function WhereItIs({ order: { progress, carrier, tracking } }: { order: OrderView }) {
  if (!progress) return null;
  const parcel = [carrier && `with ${carrier}`, tracking && `tracking number ${tracking}`].filter(Boolean).join(", ");
  return (
    <span className="block">
      <span className="block font-semibold">{progress.title}</span>
      <span className="block text-sm text-muted wrap-anywhere">
        {[progress.note, parcel].filter(Boolean).join(", ")}
      </span>
    </span>
  );
}

/** What the provider and the bank call the payment: seldom needed, so it is one press away. */
export function PaymentReference({ reference }: { reference: string }) {
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-11 items-center underline underline-offset-4">Payment reference</summary>
      <p className="break-all">{reference}</p>
    </details>
  );
}

/** An order in whole: lines, sums as charged, where it goes. */
export function OrderDetails({ order }: { order: OrderView }) {
  const { shipping } = order;
  const rate = rateOfOrder(order);
  return (
    <div className="grid gap-6">
      <OrderLines lines={order.lines} rate={rate} />
      <SumsList
        sums={sumsOfOrder(order)}
        rate={rate}
        lead={order.saleId ? "Charged" : "Comes to"}
        delivery={{ name: orderDeliveryName(shipping) }}
      />
      <RefundList refunds={order.refunds} lines={order.lines} />
      <div>
        <h3 className="label mb-1">{shipping.deliveryType || "Delivery"}</h3>
        <address className="not-italic">
          {addressLines(shipping).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
      </div>
    </div>
  );
}
