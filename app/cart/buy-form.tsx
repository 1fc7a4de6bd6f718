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
import { addToCart, useCartDrawer } from "./store.browser.ts";

const WIDE = "(min-width: 1024px)";

/** Size, quantity and Add to Cart. A plain form that posts to /Cart without script. */
export function BuyForm({ product }: { product: Product }) {
  const only = product.sizes.length === 1 && product.sizes[0]?.size === ONE_SIZE ? ONE_SIZE : "";
  const [size, setSize] = useState(only);
  const [quantity, setQuantity] = useState(1);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  const drawer = useCartDrawer();
  const navigate = useNavigate();
  const available = size ? availableIn(product, size) : 1;
  useEarlyInput(form, (early) => early.size && setSize(early.size));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!size) return form.current?.querySelector<HTMLInputElement>("input[type=radio]")?.focus();
    setBusy(true);
    if (await addToCart(product, size, quantity)) await showCart();
    setBusy(false);
  };
  /** Until it is there the button stays busy: who sees nothing happen presses again, and would have two. */
  const showCart = async () => {
    if (!matchMedia(WIDE).matches) return navigate("/Cart");
    await import("./drawer.tsx").catch(() => undefined); // the drawer's place says so
    drawer.open();
  };
  if (isSoldOut(product)) return <p className="label mt-6 rounded-cut bg-linen px-4 py-4">Sold out</p>;
  return (
    <form ref={form} method="post" action="/Cart" onSubmit={submit} noValidate={hydrated} className="mt-6 grid gap-6">
      <input type="hidden" name="intent" value="add" />
      <input type="hidden" name="id" value={product.id} />
      {only ? (
        <input type="hidden" name="size" value={ONE_SIZE} />
      ) : (
        <div className="grid gap-1">
          <SizePicker
            sizes={product.sizes}
            chosen={size}
            onChoose={(next) => {
              setSize(next);
              setQuantity(1);
            }}
          />
          <SizeGuide />
        </div>
      )}
      <div>
        <input type="hidden" name="quantity" value={quantity} />
        <div className="[@media(scripting:none)]:hidden">
          <Stepper
            label="Quantity"
            value={quantity}
            max={available}
            onChange={setQuantity}
            onAboveMax={() => size && toast.error(messages.cart.aboveStock)}
          />
          {size && available <= 5 && <span className="ml-4 text-sm text-ember-deep">Only {available} left</span>}
        </div>
      </div>
      <div className="sticky low:static bottom-14 z-20 -mx-4 bg-paper px-4 py-3 lg:static lg:m-0 lg:p-0">
        {/* Looks and says that it is disabled until a size is chosen, yet a tap leads to the sizes; without script it simply posts. */}
        <Button
          className="w-full aria-disabled:bg-unready aria-disabled:text-ink"
          aria-disabled={(hydrated && !size) || undefined}
          busy={busy}
        >
          {size ? (
            "Add to Cart"
          ) : (
            <>
              <span className="[@media(scripting:none)]:hidden">Add to Cart · Choose a size</span>
              <span className="hidden [@media(scripting:none)]:inline">Add to Cart</span>
            </>
          )}
        </Button>
      </div>
    </form>
  );
}
