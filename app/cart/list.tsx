import { type ReactNode, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { takeLostFocus } from "#app/ui/answers.browser.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { PlacePicture } from "#app/ui/frame/place-picture.tsx";
import { type Cart, type CartLine, subtotal } from "./cart.ts";
import { Line, titleId } from "./line.tsx";
import { OfferSums } from "./offers/code.tsx";
import { restore } from "./store.browser.ts";

/** A notice with the line removed last and a button that restores it. */
export function Undo({ removed }: { removed: CartLine | undefined }) {
  const button = useRef<HTMLButtonElement>(null);
  // The pressed button was removed together with its line, so the focus would be lost.
  useEffect(() => {
    if (removed) takeLostFocus(button.current, { preventScroll: true });
  }, [removed]);
  if (!removed) return null;
  // This button disappears when the line comes back: at once, or for a guest after the price is loaded. The focus moves
  // to the line in both cases.
  const bringBack = async () => {
    const focusLine = () => takeLostFocus(document.getElementById(titleId(removed)));
    const restoring = flushSync(restore);
    focusLine();
    await restoring;
    focusLine();
  };
  return (
    <p role="status" className="flex items-center justify-between gap-4 bg-linen px-5 py-2 text-sm">
      <span>{messages.cartOther.removed(removed.title)}</span>
      <button ref={button} type="button" className="label min-h-11 underline underline-offset-4" onClick={bringBack}>
        Undo
      </button>
    </p>
  );
}

type ListProps = { cart: Cart; rate: Rate; onLeave?(): void; sizeOf?(line: CartLine): ReactNode };

/**
 * The lines of a cart, in the drawer and on /Cart. Every control is a form of its own, so that it works without
 * JavaScript. `sizeOf` renders the choice of a line's size, where there is one.
 */
export function CartList({ cart, rate, onLeave, sizeOf }: ListProps) {
  return (
    <ul className="divide-y divide-hairline px-5">
      {cart.lines.map((line) => (
        <Line
          key={`${line.id} ${line.size} ${line.color}`}
          line={line}
          rate={rate}
          onLeave={onLeave}
          size={sizeOf?.(line)}
        />
      ))}
    </ul>
  );
}

type FootProps = { cart: Cart; rate: Rate; delivery: ReactNode; children: ReactNode };

/** The subtotal, the delivery text, a note and the link to the checkout. */
export function CartFoot({ cart, rate, delivery, children }: FootProps) {
  const sum = subtotal(cart);
  return (
    <div className="border-t border-hairline bg-paper px-5 pt-4 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
      <p className="flex items-baseline justify-between gap-4">
        <span className="label">Subtotal</span>{" "}
        <PricePair cents={sum} rate={rate} className="justify-end text-right text-lg font-bold" />
      </p>
      {cart.offers && <OfferSums offers={cart.offers} rate={rate} />}
      <p className="mt-1 text-sm text-muted">{messages.cart.note}</p>
      <p className="mt-2 mb-4 text-sm">{delivery}</p>
      {children}
    </div>
  );
}

export function EmptyCart({ onLeave }: { onLeave?(): void }) {
  return (
    <div className="grid min-h-0 content-start justify-items-start gap-2 overflow-y-auto p-5">
      <PlacePicture name="tote" className="mb-4 aspect-4/3 w-full" sizes="(min-width: 672px) 42rem, 100vw" />
      <p className="headline text-2xl">{messages.cart.empty}</p>
      <p className="mb-4 text-muted">{messages.cart.emptyHint}</p>
      <ButtonLink to="/shop" onClick={onLeave}>
        Shop Now
      </ButtonLink>
    </div>
  );
}
