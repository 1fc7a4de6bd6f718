import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { CheckIcon, ClockIcon, ReturnIcon } from "#app/ui/icons.tsx";
import { longDate } from "#app/ui/long-date.ts";
import type { Order } from "./order.ts";
import { OrderLines, SumsList } from "./order-summary.tsx";

/** A green check for a completed order, otherwise its status in words with an icon. */
export function OrderStatus({ status }: { status: Order["status"] }) {
  const done = status === "completed";
  const Icon = done ? CheckIcon : status === "Refunded" ? ReturnIcon : ClockIcon;
  return (
    <span className={`inline-flex items-center gap-2 font-semibold ${done ? "text-palm" : "text-ember-deep"}`}>
      <Icon className="size-5" />
      {status || "Processing"}
    </span>
  );
}

/** When the parcel left, with which carrier and under which number; nothing before. */
export function SentOff({ order: { fulfilledAt, carrier, tracking } }: { order: Order }) {
  if (!fulfilledAt) return null;
  return (
    <span className="block text-sm">
      Sent off on <time dateTime={fulfilledAt.toISOString()}>{longDate(fulfilledAt)}</time>
      {carrier && ` with ${carrier}`}
      {tracking && (
        <>
          , tracking number <span className="inline-block max-w-full wrap-anywhere">{tracking}</span>
        </>
      )}
    </span>
  );
}

/** An order in whole: lines, sums as charged, where it goes. */
export function OrderDetails({ order }: { order: Order }) {
  const sums = {
    subtotalCents: usdCents(order.subtotalCents),
    shippingCents: usdCents(order.shippingCents),
    totalCents: usdCents(order.totalCents),
    kobo: kobo(order.kobo),
  };
  const { shipping } = order;
  const place = [
    shipping.pickupCenter,
    shipping.address,
    shipping.apartment,
    shipping.landmark,
    shipping.city,
    shipping.localGovernment,
    shipping.state,
    shipping.postalCode,
    shipping.country,
  ];
  return (
    <div className="grid gap-6">
      <OrderLines lines={order.lines} />
      <SumsList
        sums={sums}
        rate={parseRate(order.rate) ?? FALLBACK_RATE}
        lead={order.saleId ? "Charged" : "Comes to"}
      />
      <div>
        <h3 className="label mb-1">{shipping.deliveryType || "Delivery"}</h3>
        <p>
          {shipping.firstName} {shipping.lastName}
        </p>
        <p>{place.filter(Boolean).join(", ")}</p>
        <p className="price">{shipping.phoneNumber}</p>
      </div>
    </div>
  );
}
