import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import type { UsdCents } from "#app/money/money.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import type { CartOffers } from "../cart.ts";

/** The price before offers, struck through, and the offers' names. Stands below a line's price. */
export function OfferNotes({ fullCents, names, rate }: { fullCents: UsdCents; names: readonly string[]; rate: Rate }) {
  return (
    <span className="block text-sm">
      <span className="text-muted">
        Before:{" "}
        <s>
          <PricePair cents={fullCents} rate={rate} />
        </s>
      </span>{" "}
      <span className="block text-palm">{names.join(", ")}</span>
    </span>
  );
}

/** The sum that offers save on the whole cart, and the sum that is missing for free delivery. */
export function OfferSums({ offers, rate }: { offers: CartOffers; rate: Rate }) {
  return (
    <>
      {offers.savedCents > 0 && (
        <p className="mt-1 flex items-baseline justify-between gap-4 text-sm text-muted">
          <span>You save</span> <PricePair cents={offers.savedCents} rate={rate} className="justify-end text-right" />
        </p>
      )}
      {offers.freeDelivery && <p className="mt-1 text-sm text-palm">{offers.freeDelivery}</p>}
      {offers.toFreeDelivery !== undefined && (
        <p className="mt-1 text-sm">
          <PricePair cents={offers.toFreeDelivery} rate={rate} /> <span>more and delivery is free</span>
        </p>
      )}
    </>
  );
}

/** Whether the shopper's code counts, or why it does not. */
export function CodeState({ code }: { code: CartOffers["code"] }) {
  if (!code) return null;
  if (!code.refusal) return <p className="text-sm text-palm">{messages.codes.counts(code.code, code.offer ?? "")}</p>;
  return (
    <p className="text-sm">
      <b className="font-semibold">{code.code}</b> <span>{code.refusal}</span>
    </p>
  );
}

/**
 * The form for a code, on /Cart, if the shop takes codes or the cart has one. A plain POST, so that it works without
 * JavaScript.
 */
export function CodeForm({ offers: { code, takesCodes } }: { offers: CartOffers }) {
  if (!takesCodes && !code) return null;
  return (
    <details open={code !== undefined} className="mt-3">
      <summary className="label inline-flex min-h-11 items-center underline underline-offset-4">Have a code?</summary>
      <div className="grid gap-3 pb-3">
        <form method="post" action="/Cart" className="grid grid-cols-[1fr_auto] items-end gap-3">
          <input type="hidden" name="intent" value="code" />
          <Field
            key={code?.code}
            label="Code"
            name="code"
            defaultValue={code?.code}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          <Button look="outline">Use code</Button>
        </form>
        <CodeState code={code} />
        {code && (
          <form method="post" action="/Cart">
            <input type="hidden" name="intent" value="code" />
            <button type="submit" className="label min-h-11 underline underline-offset-4">
              Remove code
            </button>
          </form>
        )}
      </div>
    </details>
  );
}
