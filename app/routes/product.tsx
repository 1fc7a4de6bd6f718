import { data, redirect } from "react-router";
import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { useBrand } from "#app/brand/context.tsx";
import { BuyForm } from "#app/cart/buy-form.tsx";
import { mostOfASize } from "#app/cart/limit.server.ts";
import { getProduct, idMeantBy, listColorsOf, listOthers } from "#app/catalog/catalog.server.ts";
import { ColorLinks } from "#app/catalog/color-links.tsx";
import { leadingCurrencyOf } from "#app/catalog/currency/leading.server.ts";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import { Details, Returns } from "#app/catalog/details.tsx";
import { Gallery } from "#app/catalog/gallery/gallery.tsx";
import { Breadcrumbs, StructuredData } from "#app/catalog/json-ld.tsx";
import { shownOfProduct, versionOf } from "#app/catalog/link-pictures/shown.server.ts";
import { OldPrice } from "#app/catalog/prices/old-price.tsx";
import { lastMinuteText } from "#app/catalog/prices/until.server.ts";
import { isSoldOut, type Product } from "#app/catalog/product.ts";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { NotHere } from "#app/catalog/search/not-here.tsx";
import { ShareButton } from "#app/catalog/share-button.tsx";
import { hasSizeOf, sizeGuideOf } from "#app/catalog/size-guides/guides.server.ts";
import { StockAlertForm } from "#app/catalog/stock-alerts/form.tsx";
import { productData } from "#app/catalog/structured-data.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { formatUsd } from "#app/money/format.ts";
import { useNumbers } from "#app/numbers/context.tsx";
import { dayWords } from "#app/orders/fulfilment/days.ts";
import { dayRange, packingDays, standardDays } from "#app/shipping/delivery-time.ts";
import { DeliverTo } from "#app/shipping/place/deliver-to.tsx";
import { readRates } from "#app/shipping/rates.server.ts";
import { deliveryData, deliveryPrices } from "#app/shipping/structured-data.ts";
import { Help } from "#app/ui/frame/help.tsx";
import { linkPicture, pageMeta } from "#app/ui/frame/page-meta.ts";
import { productPath, queuePath } from "#app/ui/frame/paths.ts";
import { TruckIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/product";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData?.product) return pageMeta(matches, { title: messages.product.notFound, hidden: true });
  const { product, site, link } = loaderData;
  const alt = `${product.title}, ${formatUsd(product.priceCents)}`;
  const image = link && linkPicture(site, `singleProduct/${product.id}`, link, alt);
  const title = `${product.title}${product.color && ` in ${product.color}`}`;
  return pageMeta(matches, { title, description: product.description, image: image || undefined });
};

const OTHERS = 4;

export async function loader({ params, request }: Route.LoaderArgs) {
  const currency = leadingCurrencyOf(request);
  const [product, others, colors, { rate }, { offered }, sizeGuide, { brand = SHIPPED_BRAND }] = await Promise.all([
    getProduct(db(), params.id),
    listOthers(db(), params.id, OTHERS),
    listColorsOf(db(), params.id),
    rateInForce(db()),
    readRates(db()),
    sizeGuideOf(db(), params.id),
    shopSettings(db()), // loads the settings, which `mostOfASize` reads below
  ]);
  const id = product ? params.id : await idMeantBy(db(), params.id);
  if (id && id !== params.id) throw redirect(`/singleProduct/${id}${new URL(request.url).search}`);
  const until = product?.saleUntil && lastMinuteText(product.saleUntil);
  const guide = product && sizeGuide && hasSizeOf(sizeGuide, product) ? sizeGuide : undefined;
  return data(
    {
      ...{ currency, delivery: deliveryPrices(currency, offered) },
      ...{ product, others, colors, rate, site: env.publicUrl.origin, mostOfASize: mostOfASize() },
      ...(product && { link: versionOf(shownOfProduct(product, brand)) }),
      ...(until && { until }),
      ...(guide && { guide }),
      ...(product?.queueOpensAt && { queue: queueLine(product.id, product.queueOpensAt) }),
    },
    { status: product ? 200 : 404 },
  );
}

/** Where the product is sold in turns. Made here, so that its words are in no page's scripts. */
function queueLine(id: string, opensAt: Date): { text: string; to: string } {
  const now = new Date();
  const from = opensAt > now ? dayWords(now, env.SHOP_TIMEZONE).dayAndTime(opensAt) : undefined;
  return { text: messages.queue.soldInTurns(from), to: queuePath(id) };
}

export default function ProductPage({
  loaderData: { product, others, colors, rate, currency, delivery, site, mostOfASize, until, guide, queue },
}: Route.ComponentProps) {
  const { name: brand } = useBrand();
  const numbers = useNumbers();
  if (!product)
    return (
      <NotHere
        title={messages.product.notFound}
        text="It may have sold out for good. Take a look at the others."
        products={others}
        rate={rate}
      />
    );
  const money = { currency, rate };
  const details = deliveryData(delivery, money, numbers);
  const countries = delivery.flatMap((one) => one.countries);
  const structured = productData(product, site, money, { brand, ...numbers }, { details, countries });
  return (
    <main>
      <StructuredData data={structured} />
      <Breadcrumbs site={site} path={productPath(product.id)} name={product.title} />
      <div className="mx-auto grid max-w-[90rem] grid-cols-1 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10 lg:px-[clamp(1rem,4vw,3rem)] lg:pt-6 xl:grid-cols-[minmax(0,1fr)_25rem] xl:gap-14">
        <Gallery key={product.id} images={product.images} />
        <div className="grid grid-cols-1 content-start gap-5 px-4 pt-4 sm:px-[clamp(1rem,4vw,3rem)] lg:sticky lg:top-22 lg:self-start lg:px-0 lg:pt-0">
          {/* The space of the button is reserved, so that the title does not break differently when the button
              loads. */}
          <div className="grid grid-cols-[minmax(0,1fr)_2.125rem] items-start gap-4">
            <div>
              <h1 className="headline text-[1.625rem] lg:text-[2rem]">{product.title}</h1>
              {product.color && <p className="mt-0.5 text-muted">{product.color}</p>}
              <p className="mt-0.5 flex flex-wrap items-center gap-x-3">
                <PricePair cents={product.priceCents} rate={rate} className="gap-x-3 text-lg font-semibold" />
                {isSoldOut(product) && <Mark>Sold out</Mark>}
                {product.finalSale && <Mark>Final sale</Mark>}
              </p>
              {product.oldPriceCents && (
                <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
                  <OldPrice cents={product.oldPriceCents} rate={rate} /> <span>lowest price in 30 days</span>
                </p>
              )}
              {until && <p className="mt-1 text-sm">{`Until ${until}`}</p>}
            </div>
            <div className="-mr-2.5 lg:-mt-1 [@media(scripting:none)]:hidden">
              <ShareButton title={product.title} url={`${site}/singleProduct/${product.id}`} />
            </div>
          </div>
          {product.description && <p className="text-pretty">{product.description}</p>}
          <ColorLinks colors={colors} shown={product.id} />
          <BuyForm
            key={product.id}
            product={product}
            rate={rate}
            mostOfASize={mostOfASize}
            alertId={ALERT}
            guide={guide}
          />
          {queue && (
            <p>
              {queue.text}{" "}
              <Link to={queue.to} className="underline underline-offset-4">
                See the queue
              </Link>
            </p>
          )}
          <StockAlert key={`alert ${product.id}`} product={product} />
          <Facts product={product} rate={rate} />
        </div>
      </div>
      {others.length > 0 && (
        <section aria-labelledby="others" className="page pt-16 lg:pt-24">
          <h2 id="others" className="headline mb-6 text-2xl lg:text-4xl">
            Goes well with
          </h2>
          <ProductGrid products={others} rate={rate} />
        </section>
      )}
    </main>
  );
}

function Mark({ children }: { children: string }) {
  return <span className="rounded-cut border border-ink/50 px-2 text-sm font-semibold">{children}</span>;
}

/** Facts for the decision to buy: delivery, returns, and the product's details. */
function Facts({ product, rate }: { product: Product; rate: Rate }) {
  const numbers = useNumbers();
  const { nigeria, abroad } = standardDays(numbers);
  return (
    <ul className="border-t border-hairline text-[0.9375rem] [&>li]:flex [&>li]:gap-3 [&>li]:border-b [&>li]:border-hairline [&>li]:py-3.5">
      <li>
        <TruckIcon className="size-6 shrink-0" />
        <DeliverTo rate={rate} lines={3}>
          Packed in <span className="whitespace-nowrap">{dayRange(packingDays(numbers))}</span>
          {" business days. Delivery in business days: Nigeria "}
          <span className="whitespace-nowrap">{dayRange(nigeria)}</span>
          {", abroad "}
          <span className="whitespace-nowrap">{dayRange(abroad)}</span>
          {". "}
        </DeliverTo>
      </li>
      <Returns finalSale={product.finalSale} />
      <Details details={product.details} />
      <li>
        <Help about={`the ${product.title}`} />
      </li>
    </ul>
  );
}

const ALERT = "back-in-stock";

/** The form for a back-in-stock alert, if a size is sold out. Unfolded if all sizes are. */
function StockAlert({ product }: { product: Product }) {
  const sizes = product.sizes.filter(({ available }) => available === 0);
  if (sizes.length === 0) return null;
  if (isSoldOut(product))
    return (
      <section id={ALERT} aria-label="Tell me when it’s back" className="scroll-mt-24 bg-linen p-4">
        <p className="mb-3 font-semibold">Sold out for now. Want to know when it’s back?</p>
        <StockAlertForm productId={product.id} sizes={sizes} />
      </section>
    );
  return (
    <details>
      <summary className="min-h-11 content-center text-sm underline underline-offset-4">Your size sold out?</summary>
      <div className="mt-2 bg-linen p-4">
        <StockAlertForm productId={product.id} sizes={sizes} />
      </div>
    </details>
  );
}
