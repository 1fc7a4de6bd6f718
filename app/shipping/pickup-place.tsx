import { pickupRows } from "./address.ts";
import type { PickupCenter } from "./shipping.ts";

/** A pick-up centre's details, the same on an order, in the account and in the checkout. */
export function PickupPlace({ center }: { center: PickupCenter }) {
  return (
    <dl className="grid grid-cols-[4.5rem_1fr] gap-x-3 gap-y-1.5 text-[0.9375rem]">
      {pickupRows(center).map(({ title, text }) => (
        <div key={title} className="contents">
          <dt className="text-muted">{title}</dt>
          <dd className="font-medium">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
