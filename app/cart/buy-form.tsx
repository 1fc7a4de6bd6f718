import { type FormEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { availableIn, isSoldOut, type Product } from "#app/catalog/product.ts";
import { SizeGuide } from "#app/catalog/size-guide.tsx";
import { SizePicker } from "#app/catalog/size-picker.tsx";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import { messages } from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Stepper } from "#app/ui/stepper.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { limitText } from "./cart.ts";
import { addToCart, useCartDrawer } from "./store.browser.ts";

const WIDE = "(min-width: 1024px)";
const FEW = 5;
/** As disabled, until a size is chosen: from the first paint on where a script will disable it. */
const UNTIL_CHOSEN =
  "[@media(scripting:enabled)]:[form:not(:has(:checked))_&]:bg-unready [@media(scripting:enabled)]:[form:not(:has(:checked))_&]:text-ink";

type Props = {
  product: Product;
  /** So many units of one size can be bought in one order, whatever the stock. */
  mostOfASize: number;
};

/** Size, quantity and Add to Cart; of a sold-out product all of it, disabled. A plain form that posts to /Cart without script. */
export function BuyForm({ product, mostOfASize }: Props) {
  const only = product.sizes.length === 1 && product.sizes[0]?.size === ONE_SIZE ? ONE_SIZE : "";
  const [size, setSize] = useState(only);
  const [quantity, setQuantity] = useState(1);
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  const { add, busy } = useAdding();
  const soldOut = isSoldOut(product);
  const availableQuantity = size ? availableIn(product, size) : 1;
  const maxQuantity = Math.min(availableQuantity, mostOfASize);
  useEarlyInput(form, (early) => early.size && setSize(early.size));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (size) void add(product, size, quantity, mostOfASize);
    else form.current?.querySelector<HTMLInputElement>("input[type=radio]")?.focus();
  };
  const choose = (next: string) => {
    setSize(next);
    setQuantity(1);
  };
  return (
    <form ref={form} method="post" action="/Cart" onSubmit={submit} noValidate={hydrated} className="mt-6 grid gap-6">
      <input type="hidden" name="intent" value="add" />
      <input type="hidden" name="id" value={product.id} />
      {only ? (
        <input type="hidden" name="size" value={ONE_SIZE} />
      ) : (
        <div className="grid gap-1">
          <SizePicker sizes={product.sizes} chosen={size} onChoose={choose} />
          <SizeGuide />
        </div>
      )}
      <div>
        <input type="hidden" name="quantity" value={quantity} />
        <div className="[@media(scripting:none)]:hidden">
          <Stepper
            label="Quantity"
            value={quantity}
            max={maxQuantity}
            disabled={soldOut}
            onChange={setQuantity}
            onAboveMax={() => size && toast.error(limitText({ availableQuantity, maxQuantity }))}
          />
          {size && !soldOut && <Left availableQuantity={availableQuantity} maxQuantity={maxQuantity} />}
        </div>
      </div>
      {soldOut ? (
        <Button className="w-full" disabled>
          Sold out
        </Button>
      ) : (
        <div className="sticky low:static bottom-14 z-20 -mx-4 bg-paper px-4 py-3 lg:static lg:m-0 lg:p-0">
          {/* By script it says that it is disabled until a size is chosen, yet a tap leads to the sizes; without script it simply posts. */}
          <Button
            className={`w-full ${only ? "" : UNTIL_CHOSEN}`}
            aria-disabled={(hydrated && !size) || undefined}
            busy={busy}
          >
            Add to Cart
            {!only && (
              <span className="[@media(scripting:none)]:hidden [form:has(:checked)_&]:hidden">· Choose a size</span>
            )}
          </Button>
        </div>
      )}
    </form>
  );
}

/** Says how many can be bought where that is few, or fewer than there are. */
function Left({ availableQuantity, maxQuantity }: { availableQuantity: number; maxQuantity: number }) {
  if (maxQuantity < availableQuantity)
    return <p className="mt-2 text-sm text-muted">{messages.cartOther.mostOfASize(maxQuantity)}</p>;
  if (availableQuantity > FEW) return null;
  return <span className="ml-4 text-sm text-ember-deep">Only {availableQuantity} left</span>;
}

/** Adds and then shows the cart. Until that is there it is busy: who sees nothing happen presses again, and would have two. */
function useAdding() {
  const [busy, setBusy] = useState(false);
  const drawer = useCartDrawer();
  const navigate = useNavigate();
  const showCart = async () => {
    if (!matchMedia(WIDE).matches) return navigate("/Cart");
    await import("./drawer.tsx").catch(() => undefined); // the drawer's place says so
    drawer.open();
  };
  const add = async (...addition: Parameters<typeof addToCart>) => {
    setBusy(true);
    if (await addToCart(...addition)) await showCart();
    setBusy(false);
  };
  return { add, busy };
}
