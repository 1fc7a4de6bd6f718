import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { PricePair } from "#app/catalog/price-pair.tsx";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import { messages } from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { timesCents } from "#app/money/money.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { MinusIcon, PlusIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import type { Cart, CartLine } from "./cart.ts";
import { subtotal } from "./cart.ts";
import { restore, setQuantity } from "./store.browser.ts";

/** What was removed last, and the way back. */
export function Undo({ removed }: { removed: CartLine | undefined }) {
  const button = useRef<HTMLButtonElement>(null);
  // The button that was pressed has gone with its line.
  useEffect(() => {
    if (removed && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [removed]);
  if (!removed) return null;
  return (
    <p role="status" className="flex items-center justify-between gap-4 bg-linen px-5 py-2 text-sm">
      {`${removed.title} was removed.`}
      <button ref={button} type="button" className="label min-h-11 underline underline-offset-4" onClick={restore}>
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

function Line({ line, rate, onLeave }: { line: CartLine; rate: Rate; onLeave?(): void }) {
  const total = timesCents(line.priceCents, line.quantity);
  const atStock = line.quantity >= line.availableQuantity;
  return (
    <li className="grid grid-cols-[5.5rem_1fr] gap-4 py-5">
      <Link to={`/singleProduct/${line.id}`} onClick={onLeave} tabIndex={-1} aria-hidden="true">
        {line.image ? (
          <Picture image={line.image} sizes="88px" upTo={320} alt="" />
        ) : (
          <img src="/placeholder.svg" alt="" width={88} height={110} />
        )}
      </Link>
      <div className="flex min-w-0 flex-col gap-1">
        <Link to={`/singleProduct/${line.id}`} onClick={onLeave} className="font-bold uppercase leading-tight">
          {line.title}
        </Link>
        <p className="text-sm text-muted">
          {line.color}
          {line.size !== ONE_SIZE && ` / ${line.size}`}
        </p>
        <p className="price text-sm">
          <PricePair cents={line.priceCents} rate={rate} />
        </p>
        {line.changes.map((change) => (
          <p key={change} className="text-sm font-medium text-ember-deep">
            {change}
          </p>
        ))}
        <div className="mt-1 flex flex-wrap items-center justify-between gap-2">
          <div className="inline-flex h-12 items-stretch rounded-cut border border-ink/50">
            <Change line={line} quantity={line.quantity - 1} name="One less" disabled={line.quantity <= 1}>
              <MinusIcon className="size-4" />
            </Change>
            <output
              aria-label={`Quantity of ${line.title}, ${line.size}`}
              className="price w-8 self-center text-center"
            >
              {line.quantity}
            </output>
            <Change
              line={line}
              quantity={line.quantity + 1}
              name="One more"
              blocked={atStock ? messages.cart.aboveStock : undefined}
            >
              <PlusIcon className="size-4" />
            </Change>
          </div>
          <Change line={line} quantity={0} name="REMOVE">
            <span className="label underline underline-offset-4">REMOVE</span>
          </Change>
        </div>
        {line.quantity > 1 && (
          <p className="price text-sm">
            <span className="text-muted">Together</span> <PricePair cents={total} rate={rate} />
          </p>
        )}
      </div>
    </li>
  );
}

type ChangeProps = {
  line: CartLine;
  quantity: number;
  name: string;
  disabled?: boolean;
  blocked?: string;
  children: ReactNode;
};

/** One change of a line as a form; `blocked` says why it cannot be made. */
function Change({ line, quantity, name, disabled, blocked, children }: ChangeProps) {
  const hydrated = useHydrated();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (disabled) return;
    if (blocked) toast.error(blocked);
    else void setQuantity(line, quantity);
  };
  return (
    <form method="post" action="/Cart" onSubmit={submit} className="contents">
      <input type="hidden" name="intent" value={quantity === 0 ? "remove" : "set"} />
      <input type="hidden" name="id" value={line.id} />
      <input type="hidden" name="size" value={line.size} />
      <input type="hidden" name="quantity" value={quantity} />
      <button
        type="submit"
        disabled={disabled && !hydrated} // by script it keeps the focus that it has
        aria-disabled={disabled || blocked ? true : undefined}
        aria-label={`${name}: ${line.title}, ${line.size}`}
        className="grid min-h-11 min-w-11 place-items-center aria-disabled:text-unready"
      >
        {children}
      </button>
    </form>
  );
}

/** Subtotal, the note and the way to the checkout. */
export function CartFoot({ cart, rate, children }: { cart: Cart; rate: Rate; children: ReactNode }) {
  const sum = subtotal(cart);
  return (
    <div className="border-t border-hairline bg-paper px-5 pt-4 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
      <p className="flex items-baseline justify-between gap-4">
        <span className="label">Subtotal</span>
        <PricePair cents={sum} rate={rate} className="justify-end text-right text-lg font-bold" />
      </p>
      <p className="mt-1 mb-4 text-sm text-muted">{messages.cart.note}</p>
      {children}
    </div>
  );
}

export function EmptyCart({ onLeave }: { onLeave?(): void }) {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-2 px-6 py-16 text-center">
      <p className="headline text-2xl">{messages.cart.empty}</p>
      <p className="mb-4 text-muted">{messages.cart.emptyHint}</p>
      <ButtonLink to="/shop" onClick={onLeave}>
        Shop Now
      </ButtonLink>
    </div>
  );
}
