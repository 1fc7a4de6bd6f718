import { type FormEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { LeadingPrice, PricePair, WithoutStyles } from "#app/catalog/currency/price-pair.tsx";
import { OldPrice } from "#app/catalog/prices/old-price.tsx";
import { availableIn, isSoldOut, type Product } from "#app/catalog/product.ts";
import { SizeGuide } from "#app/catalog/size-guide.tsx";
import type { SizeGuideTable } from "#app/catalog/size-guides/guide.ts";
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
import { addToCart, useCartDrawer } from "./store.browser.ts";

const WIDE = "(min-width: 1024px)";
const FEW = 5;
type Props = {
  product: Product;
  rate: Rate;
  /** The most units of one size in one order, whatever the stock. */
  mostOfASize: number;
  /** The id of the form that takes an email address for a back-in-stock alert, shown when a size is sold out. */
  alertId: string;
  /** The owner's size guide for this product, if there is one. */
  guide?: SizeGuideTable;
};

/**
 * Size, quantity and the Add to Cart button. If the product is sold out, all of them are disabled. Without JavaScript
 * the form posts to /Cart.
 */
export function BuyForm({ product, rate, mostOfASize, alertId, guide }: Props) {
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
        <OneSize few={few} guide={guide} />
      ) : (
        <div className="relative">
          <SizePicker
            sizes={product.sizes}
            chosen={size}
            onChoose={choose}
            note={isAsked && !size ? messages.cartOther.noSize : few}
          />
          <SizeGuide guide={guide} />
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
            onAboveMax={() => size && maxQuantity === availableQuantity && toast(messages.cart.aboveStock)}
          />
        </div>
        <div data-foot-bar="" className="lg:contents">
          {product.oldPriceCents ? (
            <span className="flex min-h-10 flex-col text-[0.9375rem] font-semibold leading-5 lg:hidden">
              <LeadingPrice cents={product.priceCents} rate={rate} />{" "}
              <OldPrice cents={product.oldPriceCents} rate={rate} isShort />
            </span>
          ) : (
            <PricePair
              cents={product.priceCents}
              rate={rate}
              className="min-h-10 flex-col text-[0.9375rem] font-semibold leading-5 lg:hidden"
            />
          )}{" "}
          {soldOut ? (
            <>
              <Button className="flex-1 max-lg:hidden" disabled>
                Sold out
              </Button>
              <ButtonLink to={`#${alertId}`} reloadDocument className="flex-1 px-1! lg:hidden">
                Tell me when it’s back
              </ButtonLink>
            </>
          ) : (
            // Assistive technology reports the button as disabled until a size is chosen; pressing it then moves the
            // focus to the sizes. Without JavaScript it posts the form.
            <Button
              className={only ? "flex-1" : "waits-for-choice flex-1"}
              aria-disabled={(hydrated && !size) || undefined}
              busy={busy}
            >
              {only ? "Add to Cart" : <AddOrChoose />}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

/** The text in place of the size picker, for a product with one size. The shop's own guide does not cover that size. */
function OneSize({ few, guide }: { few: string | undefined; guide: SizeGuideTable | undefined }) {
  const text = (
    <p className="text-sm">
      <input type="hidden" name="size" value={ONE_SIZE} />
      <span className="font-semibold">One size</span> <span className="ml-2 text-ember-deep">{few}</span>
    </p>
  );
  if (!guide) return text;
  return (
    <div className="relative grid min-h-11 grid-cols-1 content-center gap-2">
      <div className="pr-24">{text}</div>
      <SizeGuide guide={guide} />
    </div>
  );
}

/**
 * The label "Add to Cart". With JavaScript and without a chosen size, only "Choose a size" is visible. CSS decides, so
 * the label is right from the first paint on.
 */
function AddOrChoose() {
  return (
    <>
      <span className="[@media(scripting:enabled)]:[form:not(:has(:checked))_&]:sr-only">Add to Cart</span>
      <WithoutStyles>: </WithoutStyles>{" "}
      <span className="[@media(scripting:none)]:hidden [form:has(:checked)_&]:hidden">Choose a size</span>
    </>
  );
}

/**
 * A message with the number of units that can be bought, if few are left or if the owner's limit is below the stock.
 */
function fewText(availableQuantity: number, maxQuantity: number): string | undefined {
  if (maxQuantity < availableQuantity) return messages.cartOther.mostOfASize(maxQuantity);
  return availableQuantity > FEW || availableQuantity === 0 ? undefined : `Only ${availableQuantity} left`;
}

/**
 * Adds to the cart, then shows the cart. The button stays busy until the cart is open, so that an impatient second
 * press does not add a second unit.
 */
function useAdding() {
  const [busy, setBusy] = useState(false);
  const drawer = useCartDrawer();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const showCart = async (title: string) => {
    // Offline, neither the cart page nor the drawer's code can be fetched, so a message replaces them.
    if (!navigator.onLine) return void toast.success(messages.cartOther.added(title));
    if (!matchMedia(WIDE).matches) {
      travelToCount();
      return navigate("/Cart");
    }
    await import("./drawer.tsx").catch(() => undefined); // the Drawer component of routes/layout.tsx reports the error
    if (!isHere.current) return;
    drawer.open();
    travelToCount();
  };
  const add = async (...addition: Parameters<typeof addToCart>) => {
    setBusy(true);
    if ((await addToCart(...addition)) && isHere.current) await showCart(addition[0].title);
    setBusy(false);
  };
  return { add, busy };
}

/** Starts the animation of the picture without waiting for it. If its code does not load, there is no animation. */
function travelToCount(): void {
  import("#app/ui/travel.browser.ts").then(
    ({ travel }) => travel("[data-gallery] img", "[data-cart-count]"),
    () => undefined,
  );
}
