import type { OrderView } from "../view.ts";

/** The code that the shopper gives to whoever hands the parcel over. Empty while none is asked for. */
export function HandoverCode({ order: { handoverCode, shipping } }: { order: OrderView }) {
  if (!handoverCode) return null;
  return (
    <section aria-labelledby="handover" className="grid gap-3 bg-linen p-4 sm:p-7">
      <h2 id="handover" className="headline text-lg">
        Your code
      </h2>
      <p className="price text-4xl tracking-widest">{handoverCode}</p>
      <p>
        {shipping.pickupCenter
          ? "Give this code when you pick up your parcel."
          : "Give this code when you receive your parcel."}
      </p>
      <p className="text-sm text-muted">Keep it to yourself until then.</p>
    </section>
  );
}
