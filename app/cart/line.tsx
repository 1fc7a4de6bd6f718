import type { FormEvent, ReactNode } from "react";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import { OldPrice } from "#app/catalog/prices/old-price.tsx";
import { pieceText, variantText } from "#app/catalog/sizes.ts";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { timesCents } from "#app/money/money.ts";
import { MinusIcon, PlusIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { type CartLine, limitText } from "./cart.ts";
import { OfferNotes } from "./offers/code.tsx";
import { setQuantity } from "./store.browser.ts";

/** The HTML id of the link that is a line's title. */
export const titleId = ({ id, size }: CartLine) => `line-${id}-${size}`;

type LineProps = { line: CartLine; rate: Rate; onLeave?(): void; size?: ReactNode };

/** `size` is the choice of another size, where there is one. */
export function Line({ line, rate, onLeave, size }: LineProps) {
  const total = timesCents(line.priceCents, line.quantity);
  const isAtMost = line.quantity >= line.maxQuantity;
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
        <Link
          id={titleId(line)}
          to={`/singleProduct/${line.id}`}
          onClick={onLeave}
          className="font-bold uppercase leading-tight"
        >
          {line.title}
        </Link>
        <p className="text-sm text-muted">{variantText(line, " / ")}</p>
        <p className="price text-sm">
          <PricePair cents={line.priceCents} rate={rate} />{" "}
          {line.fullCents ? (
            <OfferNotes fullCents={line.fullCents} names={line.offerNames ?? []} rate={rate} />
          ) : (
            line.oldPriceCents && <OldPrice cents={line.oldPriceCents} rate={rate} isShort />
          )}
        </p>
        {line.changes.map((change) => (
          <p key={change} className="text-sm font-medium text-ember-deep">
            {change}
          </p>
        ))}
        {line.newPriceCents !== undefined && (
          <p className="text-sm font-medium text-ember-deep">
            <span>{messages.cartOther.newPrice}</span> <PricePair cents={line.newPriceCents} rate={rate} />
          </p>
        )}
        <div className="mt-1 flex flex-wrap items-center justify-between gap-2">
          <div className="inline-flex h-12 items-stretch rounded-cut border border-ink/50">
            <Change line={line} quantity={line.quantity - 1} name="One less" disabled={line.quantity <= 1}>
              <MinusIcon className="size-4" />
              <span className="sr-only">One less</span>
            </Change>
            <output
              aria-label={`Quantity of ${pieceText({ title: line.title, size: line.size })}`}
              className="price w-8 self-center text-center"
            >
              {line.quantity}
            </output>
            <Change
              line={line}
              quantity={line.quantity + 1}
              name="One more"
              blocked={isAtMost ? limitText(line) : undefined}
            >
              <PlusIcon className="size-4" />
              <span className="sr-only">One more</span>
            </Change>
          </div>
          {size}
          <Change line={line} quantity={0} name="REMOVE">
            <span className="label underline underline-offset-4">REMOVE</span>
          </Change>
        </div>
        {line.quantity > 1 && (
          <p className="price text-sm">
            <span className="text-muted">{`${line.quantity} for`}</span> <PricePair cents={total} rate={rate} />
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

/**
 * A form with one button that changes the line's quantity. `blocked` is the reason why the change is impossible, shown
 * on a press.
 */
function Change({ line, quantity, name, disabled, blocked, children }: ChangeProps) {
  const hydrated = useHydrated();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (disabled) return;
    if (blocked) toast(blocked);
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
        disabled={disabled && !hydrated} // with JavaScript only aria-disabled: a disabled button would lose the focus
        aria-disabled={disabled || blocked ? true : undefined}
        aria-label={`${name}: ${pieceText({ title: line.title, size: line.size })}`}
        className="grid min-h-11 min-w-11 place-items-center aria-disabled:text-unready"
      >
        {children}
      </button>
    </form>
  );
}
