import { data } from "react-router";
import { BuyForm } from "#app/cart/buy-form.tsx";
import { mostOfASize } from "#app/cart/limit.server.ts";
import { getProduct, listCards } from "#app/catalog/catalog.server.ts";
import { Gallery } from "#app/catalog/gallery.tsx";
import { isSoldOut, type Product, pictureUrl } from "#app/catalog/product.ts";
import { Price, ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { NotHere } from "#app/catalog/search/not-here.tsx";
import { StockAlertForm } from "#app/catalog/stock-alerts/form.tsx";
import { productData } from "#app/catalog/structured-data.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { messages } from "#app/messages.ts";
import { DeliverTo } from "#app/shipping/deliver-to.tsx";
import { DELIVERY_DAYS, dayRange, PROCESSING_DAYS } from "#app/shipping/delivery-time.ts";
import { Help } from "#app/ui/frame/help.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { ReturnIcon, TruckIcon } from "#app/ui/icons.tsx";
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
  return data(
    { product, others, rate, site: env.publicUrl.origin, mostOfASize: mostOfASize() },
    { status: product ? 200 : 404 },
  );
}

export default function ProductPage({
  loaderData: { product, others, rate, site, mostOfASize },
}: Route.ComponentProps) {
  if (!product)
    return (
      <NotHere
        title={messages.product.notFound}
        text="It may have been sold out for good. The others are still here."
        products={others}
        rate={rate}
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
          <BuyForm key={product.id} product={product} mostOfASize={mostOfASize} />
          <StockAlert key={`alert ${product.id}`} product={product} />
          <p className="mt-6 text-pretty">{product.description}</p>
          <ul className="mt-6 grid gap-3 border-t border-hairline pt-6 text-sm">
            <li className="flex gap-3">
              <TruckIcon className="size-5 shrink-0" />
              {/* A space that is a text of its own would move when the words after it arrive. */}
              <DeliverTo rate={rate} lines={3}>
                Nigeria in <span className="whitespace-nowrap">{dayRange(DELIVERY_DAYS.nigeria)}</span>
                {" business days, abroad in "}
                <span className="whitespace-nowrap">{dayRange(DELIVERY_DAYS.abroad)}</span>, after{" "}
                <span className="whitespace-nowrap">{dayRange(PROCESSING_DAYS)}</span>
                {" to process."}
              </DeliverTo>
            </li>
            <li className="flex gap-3">
              <ReturnIcon className="size-5 shrink-0" /> Return within 14 days of delivery; tell us of damage within 48
              hours.
            </li>
          </ul>
          <Help about={`the ${product.title}`} className="mt-4" />
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

/** For the sizes that are sold out, where there are any; open where that is all that can be done. */
function StockAlert({ product }: { product: Product }) {
  const sizes = product.sizes.filter(({ available }) => available === 0);
  if (sizes.length === 0) return null;
  return (
    <details open={isSoldOut(product)} className="mt-4 border-t border-hairline pt-2">
      <summary className="min-h-11 content-center text-sm underline underline-offset-4">
        {isSoldOut(product) ? "Sold out for now: shall we tell you when it is back?" : "Your size is sold out?"}
      </summary>
      <div className="mt-2">
        <StockAlertForm productId={product.id} sizes={sizes} />
      </div>
    </details>
  );
}
