import { type ReactNode, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { takeLostFocus } from "#app/ui/focus.browser.ts";
import { PlacePicture } from "#app/ui/frame/place-picture.tsx";
import { type Cart, type CartLine, subtotal } from "./cart.ts";
import { Line, titleId } from "./line.tsx";
import { restore } from "./store.browser.ts";

/** What was removed last, and the way back. */
export function Undo({ removed }: { removed: CartLine | undefined }) {
  const button = useRef<HTMLButtonElement>(null);
  // The button that was pressed has gone with its line.
  useEffect(() => {
    if (removed) takeLostFocus(button.current, { preventScroll: true });
  }, [removed]);
  if (!removed) return null;
  // This button goes as the line comes back: at once, or a guest's with its price.
  const bringBack = async () => {
    const focusLine = () => takeLostFocus(document.getElementById(titleId(removed)));
    const restoring = flushSync(restore);
    focusLine();
    await restoring;
    focusLine();
  };
  return (
    <p role="status" className="flex items-center justify-between gap-4 bg-linen px-5 py-2 text-sm">
      {messages.cartOther.removed(removed.title)}
      <button ref={button} type="button" className="label min-h-11 underline underline-offset-4" onClick={bringBack}>
        Undo
      </button>
    </p>
  );
}

/** The lines of a cart; the drawer and /Cart both show this. Every control is a form of its own, so that it works without script. */
export function CartList({ cart, rate, onLeave }: { cart: Cart; rate: Rate; onLeave?(): void }) {
  return (
    <ul className="divide-y divide-hairline px-5">
      {cart.lines.map((line) => (
        <Line key={`${line.id} ${line.size} ${line.color}`} line={line} rate={rate} onLeave={onLeave} />
      ))}
    </ul>
  );
}

type FootProps = { cart: Cart; rate: Rate; delivery: ReactNode; children: ReactNode };

/** Subtotal, what `delivery` says, the note and the way to the checkout. */
export function CartFoot({ cart, rate, delivery, children }: FootProps) {
  const sum = subtotal(cart);
  return (
    <div className="border-t border-hairline bg-paper px-5 pt-4 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
      <p className="flex items-baseline justify-between gap-4">
        <span className="label">Subtotal</span>
        <PricePair cents={sum} rate={rate} className="justify-end text-right text-lg font-bold" />
      </p>
      <p className="mt-1 text-sm text-muted">{messages.cart.note}</p>
      <p className="mt-2 mb-4 text-sm">{delivery}</p>
      {children}
    </div>
  );
}

export function EmptyCart({ onLeave }: { onLeave?(): void }) {
  return (
    <div className="grid min-h-0 content-start justify-items-start gap-2 overflow-y-auto p-5">
      <PlacePicture name="shirts" className="mb-4 aspect-4/3 w-full" sizes="(min-width: 42rem) 42rem, 100vw" />
      <p className="headline text-2xl">{messages.cart.empty}</p>
      <p className="mb-4 text-muted">{messages.cart.emptyHint}</p>
      <ButtonLink to="/shop" onClick={onLeave}>
        Shop Now
      </ButtonLink>
    </div>
  );
}
