import { type FormEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import { availableIn, isSoldOut, type Product } from "#app/catalog/product.ts";
import { SizeGuide } from "#app/catalog/size-guide.tsx";
import { SizePicker } from "#app/catalog/size-picker.tsx";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { useIsHere } from "#app/ui/frame/with-page.browser.ts";
import { Stepper } from "#app/ui/stepper.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { limitText } from "./cart.ts";
import { addToCart, useCartDrawer } from "./store.browser.ts";

const WIDE = "(min-width: 1024px)";
const FEW = 5;
type Props = {
  product: Product;
  rate: Rate;
  /** The most units of one size in one order, whatever the stock. */
  mostOfASize: number;
  /** The id of the part of the page that takes an address for a sold-out size. */
  alertId: string;
};

/** Size, quantity and Add to Cart; of a sold-out product all of it, disabled. A plain form that posts to /Cart without script. */
export function BuyForm({ product, rate, mostOfASize, alertId }: Props) {
  const only = product.sizes.length === 1 && product.sizes[0]?.size === ONE_SIZE ? ONE_SIZE : "";
  const [size, setSize] = useState(only);
  const [quantity, setQuantity] = useState(1);
  const [isAsked, setAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  const { add, busy } = useAdding();
  const soldOut = isSoldOut(product);
  const availableQuantity = size ? availableIn(product, size) : 1;
  const maxQuantity = Math.min(availableQuantity, mostOfASize);
  useEarlyInput(form, (early) => early.size && setSize(early.size));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (size) return void add(product, size, quantity, mostOfASize);
    setAsked(true);
    form.current?.querySelector<HTMLInputElement>("input[type=radio]:enabled")?.focus();
  };
  const choose = (next: string) => {
    setSize(next);
    setQuantity(1);
  };
  const few = size && !soldOut ? fewText(availableQuantity, maxQuantity) : undefined;
  return (
    <form ref={form} method="post" action="/Cart" onSubmit={submit} noValidate={hydrated} className="grid gap-5">
      <input type="hidden" name="intent" value="add" />
      <input type="hidden" name="id" value={product.id} />
      <input type="hidden" name="quantity" value={quantity} />
      {only ? (
        <p className="text-sm">
          <input type="hidden" name="size" value={ONE_SIZE} />
          <span className="font-semibold">One size</span> <span className="ml-2 text-ember-deep">{few}</span>
        </p>
      ) : (
        <div className="relative">
          <SizePicker
            sizes={product.sizes}
            chosen={size}
            onChoose={choose}
            note={isAsked && !size ? messages.cartOther.noSize : few}
          />
          <SizeGuide />
        </div>
      )}
      <div className="lg:flex lg:gap-3">
        <div className="[@media(scripting:none)]:hidden">
          <Stepper
            label="Quantity"
            value={quantity}
            max={maxQuantity}
            disabled={soldOut}
            onChange={setQuantity}
            onAboveMax={() => size && toast.error(limitText({ availableQuantity, maxQuantity }))}
          />
        </div>
        <div data-foot-bar="" className="lg:contents">
          <PricePair
            cents={product.priceCents}
            rate={rate}
            className="min-h-10 flex-col text-[0.9375rem] font-semibold leading-5 lg:hidden"
          />
          {soldOut ? (
            <>
              <Button className="flex-1 max-lg:hidden" disabled>
                Sold out
              </Button>
              <ButtonLink to={`#${alertId}`} reloadDocument className="flex-1 px-3! lg:hidden">
                Tell me when it is back
              </ButtonLink>
            </>
          ) : (
            // Disabled to tools until a size is chosen, yet a press leads to the sizes; without script it simply posts.
            <Button className="flex-1" aria-disabled={(hydrated && !size) || undefined} busy={busy}>
              {only ? "Add to Cart" : <AddOrChoose />}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

/** "Add to Cart"; while the script waits for a size, only "Choose a size" is visible, from the first paint on. */
function AddOrChoose() {
  return (
    <>
      <span className="[@media(scripting:enabled)]:[form:not(:has(:checked))_&]:sr-only">Add to Cart</span>
      <span className="[@media(scripting:none)]:hidden [form:has(:checked)_&]:hidden">Choose a size</span>
    </>
  );
}

/** Says how many can be bought where that is few, or fewer than there are. */
function fewText(availableQuantity: number, maxQuantity: number): string | undefined {
  if (maxQuantity < availableQuantity) return messages.cartOther.mostOfASize(maxQuantity);
  return availableQuantity > FEW || availableQuantity === 0 ? undefined : `Only ${availableQuantity} left`;
}

/** Adds and then shows the cart. Until that is open it is busy, lest an impatient shopper presses again and has two. */
function useAdding() {
  const [busy, setBusy] = useState(false);
  const drawer = useCartDrawer();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const showCart = async () => {
    if (!matchMedia(WIDE).matches) {
      travelToCount();
      return navigate("/Cart");
    }
    await import("./drawer.tsx").catch(() => undefined); // the drawer's place says so
    if (!isHere.current) return;
    drawer.open();
    travelToCount();
  };
  const add = async (...addition: Parameters<typeof addToCart>) => {
    setBusy(true);
    if ((await addToCart(...addition)) && isHere.current) await showCart();
    setBusy(false);
  };
  return { add, busy };
}

/** Nothing waits for it: if its code does not load in time, there is no animation. */
function travelToCount(): void {
  import("#app/ui/travel.browser.ts").then(
    ({ travel }) => travel("[data-gallery] img", "[data-cart-count]"),
    () => undefined,
  );
}
