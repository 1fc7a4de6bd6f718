import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { CheckIcon, ClockIcon } from "#app/ui/icons.tsx";
import type { Order } from "./order.ts";
import { OrderLines, SumsList } from "./order-summary.tsx";

/** A green check for a completed order, otherwise its status in words with a clock. */
export function OrderStatus({ status }: { status: Order["status"] }) {
  const done = status === "completed";
  return (
    <span className={`inline-flex items-center gap-2 font-semibold ${done ? "text-palm" : "text-ember-deep"}`}>
      {done ? <CheckIcon className="size-5" /> : <ClockIcon className="size-5" />}
      {status || "Processing"}
    </span>
  );
}

/** When the parcel left, and the carrier's number for it; nothing before. */
export function SentOff({ order: { fulfilledAt, tracking } }: { order: Order }) {
  if (!fulfilledAt) return null;
  return (
    <span className="block text-sm">
      Sent off on <time dateTime={fulfilledAt.toISOString()}>{orderDate(fulfilledAt)}</time>
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
      <SumsList sums={sums} rate={parseRate(order.rate) ?? FALLBACK_RATE} charged={order.status === "completed"} />
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

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

export function orderDate(date: Date): string {
  return DATE.format(date);
}
