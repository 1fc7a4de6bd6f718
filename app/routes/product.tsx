import { type FormEvent, useRef, useState } from "react";
import { data, useNavigate } from "react-router";
import { addToCart, useCartDrawer } from "#app/cart/store.browser.ts";
import { getProduct, listCards } from "#app/catalog/catalog.server.ts";
import { Gallery } from "#app/catalog/gallery.tsx";
import { availableIn, isSoldOut, type Product, pictureUrl } from "#app/catalog/product.ts";
import { Price, ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { SizeGuide } from "#app/catalog/size-guide.tsx";
import { SizePicker } from "#app/catalog/size-picker.tsx";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import { productData } from "#app/catalog/structured-data.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { messages } from "#app/messages.ts";
import { DELIVERY_DAYS } from "#app/shipping/delivery-days.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorPage } from "#app/ui/frame/error-page.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { ReturnIcon, TruckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Stepper } from "#app/ui/stepper.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import type { Route } from "./+types/product";

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData?.product) return pageMeta({ title: `${messages.product.notFound} | Irepo`, hidden: true });
  const { product, site } = loaderData;
  const [front] = product.images;
  const image = front && {
    url: site + pictureUrl(front, 1200, "jpg"),
    width: front.width,
    height: front.height,
    alt: front.alt,
  };
  return pageMeta({ title: `${product.title} in ${product.color} | Irepo`, description: product.description, image });
};

const OTHERS = 4;

export async function loader({ params }: Route.LoaderArgs) {
  const [product, all, { rate }] = await Promise.all([
    getProduct(db(), params.id),
    listCards(db(), {}, OTHERS + 1),
    rateInForce(db()),
  ]);
  const others = all.filter(({ id }) => id !== params.id).slice(0, OTHERS);
  return data({ product, others, rate, site: env.publicUrl.origin }, { status: product ? 200 : 404 });
}

export default function ProductPage({ loaderData: { product, others, rate, site } }: Route.ComponentProps) {
  if (!product)
    return (
      <ErrorPage
        title={messages.product.notFound}
        text="It may have been sold out for good. The others are still here."
      />
    );
  return (
    <main>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every "<" escaped */}
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: productData(product, site) }} />
      <div className="page grid gap-8 pb-6 sm:pt-6 lg:grid-cols-[1.3fr_1fr] lg:gap-14 lg:py-12">
        <Gallery key={product.id} images={product.images} />
        <div className="lg:sticky lg:top-24 lg:self-start">
          <h1 className="display text-3xl sm:text-5xl">{product.title}</h1>
          <Price cents={product.priceCents} rate={rate} className="mt-3 text-lg" />
          <p className="mt-4 text-muted">
            Colour: <span className="text-ink">{product.color}</span>
          </p>
          <BuyForm key={product.id} product={product} />
          <p className="mt-6 text-pretty">{product.description}</p>
          <ul className="mt-6 grid gap-3 border-t border-hairline pt-6 text-sm">
            <li className="flex gap-3">
              <TruckIcon className="size-5 shrink-0" />
              <span>
                Nigeria in <span className="whitespace-nowrap">{DELIVERY_DAYS.nigeria.join("-")}</span> business days,
                abroad in <span className="whitespace-nowrap">{DELIVERY_DAYS.abroad.join("-")}</span>, after{" "}
                <span className="whitespace-nowrap">{DELIVERY_DAYS.processing.join("-")}</span> to process.{" "}
                <Link to="/shipping-policy#prices" className="whitespace-nowrap text-palm underline underline-offset-4">
                  What it costs
                </Link>
              </span>
            </li>
            <li className="flex gap-3">
              <ReturnIcon className="size-5 shrink-0" /> Return within 14 days of delivery; tell us of damage within 48
              hours.
            </li>
          </ul>
        </div>
      </div>
      <section aria-labelledby="others" className="page py-12">
        <h2 id="others" className="display mb-8 text-2xl sm:text-4xl">
          You may also like
        </h2>
        <ProductGrid products={others} rate={rate} />
      </section>
    </main>
  );
}

const WIDE = "(min-width: 1024px)";

function BuyForm({ product }: { product: Product }) {
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
    await import("#app/cart/drawer.tsx").catch(() => undefined); // the drawer's place says so
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
