import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { AddressLines } from "#app/shipping/address-lines.tsx";
import { orderDeliveryName } from "#app/shipping/place/place.ts";
import { wayText } from "#app/shipping/ways/text.ts";
import { CheckIcon, ClockIcon, ReturnIcon } from "#app/ui/icons.tsx";
import { OrderLines, SumsList } from "./summary.tsx";
import { backTexts, type OrderView, partTexts, rateOfOrder, refundedKobo, statusText, sumsOfOrder } from "./view.ts";

/** A green check for a completed order; otherwise its status in words, with an icon. */
export function OrderStatus({ status }: { status: OrderView["status"] }) {
  const done = status === "completed";
  const Icon = done ? CheckIcon : status === "Refunded" ? ReturnIcon : ClockIcon;
  return (
    <span className={`inline-flex items-center gap-2 font-semibold ${done ? "text-palm" : "text-ember-deep"}`}>
      <Icon className="size-5" />
      <span>{statusText(status)}</span>
    </span>
  );
}

/**
 * How much of a sale's money has gone back, and how much is on its way. Empty without refunds, and if the whole sale is
 * refunded.
 */
export function PartRefunded({ order: { state, refunds } }: { order: OrderView }) {
  if (state !== "sold" || refunds.length === 0) return null;
  const done = refundedKobo(refunds, { isDone: true });
  const underWay = refundedKobo(refunds, { isDone: false });
  return (
    <span className="block text-sm">
      {`${done > 0 ? "Refunded in part: " : ""}${backTexts(done, underWay).join(", ")}`}
    </span>
  );
}

/** The refunds of an order, each with what it is for. */
function RefundList({ refunds, lines }: Pick<OrderView, "refunds" | "lines">) {
  if (refunds.length === 0) return null;
  return (
    <div>
      <h3 className="label mb-1">Refunds</h3>
      <ul className="grid gap-1">
        {refunds.map((refund) => (
          <li key={`${refund.at} ${refund.kobo}`}>
            {[
              `${formatKobo(kobo(refund.kobo))} ${refund.isDone ? "has gone back" : "is on its way back"}`,
              ...partTexts(lines, refund),
            ].join(", ")}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The progress of a sold order, with its carrier and tracking number. */
export function WhereItIs({ order: { progress, carrier, tracking } }: { order: OrderView }) {
  if (!progress) return null;
  const parcel = [carrier && `with ${carrier}`, tracking && `tracking number ${tracking}`].filter(Boolean).join(", ");
  return (
    <span className="block">
      <span className="block font-semibold">{progress.title}</span>{" "}
      <span className="block text-sm text-muted wrap-anywhere">
        {[progress.note, parcel].filter(Boolean).join(", ")}
      </span>
    </span>
  );
}

/** The payment's reference at the provider and the bank. It is rarely needed, so it is collapsed. */
export function PaymentReference({ reference }: { reference: string }) {
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-11 items-center underline underline-offset-4">Payment reference</summary>
      <p className="break-all">{reference}</p>
    </details>
  );
}

/** A complete order: lines, sums as charged, address. */
export function OrderDetails({ order }: { order: OrderView }) {
  const { shipping } = order;
  const rate = rateOfOrder(order);
  return (
    <div className="grid gap-6">
      <OrderLines lines={order.lines} rate={rate} />
      <SumsList
        sums={sumsOfOrder(order)}
        rate={rate}
        roundedKobo={order.roundedKobo}
        lead={order.saleId ? "Charged" : "Comes to"}
        delivery={{ name: orderDeliveryName(shipping) }}
      />
      <RefundList refunds={order.refunds} lines={order.lines} />
      <div>
        <h3 className="label mb-1">{shipping.deliveryType || "Delivery"}</h3>
        <AddressLines shipping={shipping} />
        {shipping.deliveryWay && <p>{wayText(shipping.deliveryWay)}</p>}
      </div>
    </div>
  );
}
