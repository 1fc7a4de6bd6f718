import { PickupPlace } from "#app/shipping/pickup-place.tsx";
import type { OrderView } from "../view.ts";

const PANEL = "grid gap-3 bg-linen p-4 sm:p-7";

/** The parcel's carrier and tracking number. Empty while both are unknown. */
export function Parcel({ order: { carrier, tracking, trackingUrl } }: { order: OrderView }) {
  if (!carrier && !tracking) return null;
  return (
    <section aria-labelledby="parcel" className={PANEL}>
      <h2 id="parcel" className="headline text-lg">
        Follow it
      </h2>
      <dl className="grid grid-cols-[4.5rem_1fr] gap-x-3 gap-y-1.5">
        {carrier && <Fact name="Carrier" value={carrier} />}
        {tracking && <Fact name="Number" value={tracking} />}
      </dl>
      {trackingUrl && (
        <a href={trackingUrl} rel="noopener noreferrer" className="w-fit text-palm underline underline-offset-4">
          {`See where it is at ${carrier}`}
        </a>
      )}
      <p className="text-sm text-muted">New steps can take up to 48 hours to show at the carrier.</p>
    </section>
  );
}

/** The place where a pick-up order waits, or will wait. Empty for an order that is delivered. */
export function PickUp({ order: { shipping, pickup, progress, number } }: { order: OrderView }) {
  if (!shipping.pickupCenter || !progress || ["delivered", "returned"].includes(progress.stage)) return null;
  return (
    <section aria-labelledby="pick-up" className={PANEL}>
      <h2 id="pick-up" className="headline text-lg">
        {progress.stage === "ready" ? "Pick it up here" : "You pick it up here"}
      </h2>
      {pickup ? <PickupPlace center={pickup} /> : <p className="font-medium">{shipping.pickupCenter}</p>}
      <p>
        Your order number is <b className="price">{number}</b>.
      </p>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium wrap-anywhere">{value}</dd>
    </>
  );
}
