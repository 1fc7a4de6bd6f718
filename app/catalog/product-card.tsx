import type { Rate } from "#app/money/exchange-rate.ts";
import type { UsdCents } from "#app/money/money.ts";
import { Link } from "#app/ui/link.tsx";
import { Picture, srcSet } from "#app/ui/picture.tsx";
import { PricePair } from "./currency/price-pair.tsx";
import { type Columns, shapeOf } from "./full-rows.ts";
import { Swatches } from "./models/swatches.tsx";
import { PlaceholderPicture } from "./placeholder-picture.tsx";
import { OldPrice } from "./prices/old-price.tsx";
import { type ProductCard, pictureUrl } from "./product.ts";
import { sizeName } from "./sizes.ts";

type GridProps = { products: ProductCard[]; rate: Rate; eager?: number };

/**
 * A grid of two, three or four columns, depending on the width, without a gap in the last row. Four products are shown
 * in one row as soon as it fits.
 */
export function ProductGrid({ products, rate, eager = 0 }: GridProps) {
  const isRowOfFour = products.length === 4;
  return (
    <ul
      className={`grid grid-cols-2 gap-x-3 gap-y-8 sm:gap-x-5 lg:gap-y-10 ${isRowOfFour ? "lg:grid-cols-4" : "lg:grid-cols-3 xl:grid-cols-4"}`}
    >
      {products.map((product, index) => {
        const wideIn = ([2, 3, 4] as const).filter(
          (columns) => shapeOf(index, products.length, columns) === "wide" && !(isRowOfFour && columns === 3),
        );
        const isLarge = shapeOf(index, products.length, 4) === "large";
        const { id, title, colors } = product;
        const large = isLarge ? `${LARGE}${colors ? " xl:flex xl:flex-col" : ""}` : "";
        return (
          <li
            key={id}
            className={[...wideIn.map((columns) => WIDE[columns]), large].join(" ").trim() || undefined}
            data-wide={wideIn.join(" ") || undefined}
            data-large={isLarge || undefined}
          >
            <Card
              product={product}
              rate={rate}
              sizes={pictureSizes(wideIn.includes(2), isRowOfFour, isLarge)}
              eager={index < eager}
              urgent={eager > 0 && index === 0}
            />
            {colors && (
              <>
                {" "}
                <Swatches title={title} colors={colors} shown={id} />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const WIDE: Record<Columns, string> = {
  2: "max-lg:col-span-2",
  3: "lg:max-xl:col-span-2",
  4: "xl:col-span-2",
};
const LARGE = "xl:col-span-2 xl:row-span-2";

/**
 * The `sizes` attribute of a card's pictures. A wide card shows two pictures of normal width, but a single large one on
 * phones.
 */
function pictureSizes(isWideOnPhones: boolean, isRowOfFour: boolean, isLarge: boolean): string {
  const phones = isWideOnPhones ? "(min-width: 640px) 46vw, 92vw" : "46vw";
  return `(min-width: 1280px) min(${isLarge ? "45vw, 52rem" : "22.5vw, 26rem"}), (min-width: 1024px) ${isRowOfFour ? 23 : 30}vw, ${phones}`;
}

/** The width of one of the two pictures of a wide card, without the gap between them. */
const HALF = "spread:w-[calc(50%-0.625rem)]";

type CardProps = { product: ProductCard; rate: Rate; sizes: string; eager: boolean; urgent: boolean };

function Card({ product, rate, sizes, eager, urgent }: CardProps) {
  const { id, title, color, priceCents, oldPriceCents, front, back, sizesInStock, soldOut } = product;
  const alone = back ? "" : "spread:mx-auto";
  return (
    <Link to={`/singleProduct/${id}`} prefetch="intent" className="group block large:flex large:h-full large:flex-col">
      <span
        className="relative block rounded-cut bg-linen large:flex-1"
        style={front && { background: front.background }}
      >
        {front ? (
          <Picture
            image={front}
            sizes={sizes}
            upTo={800}
            eager={eager}
            urgent={urgent}
            className={`${HALF} ${alone} large:absolute large:inset-0 large:aspect-auto!`}
          />
        ) : (
          <PlaceholderPicture className={`${HALF} ${alone}`} />
        )}{" "}
        {/* Shown on hover, and beside the front picture of a wide card. A browser without AVIF keeps the front
            picture. */}
        {back && (
          <img
            src={pictureUrl({ hash: back }, 640, "jpg")}
            srcSet={srcSet(back, "avif", 800)}
            sizes={sizes}
            alt=""
            loading="lazy"
            decoding="async"
            className={`absolute inset-y-0 right-0 hidden size-full rounded-cut object-cover opacity-0 transition-opacity duration-300 group-hover:opacity-100 spread:block spread:opacity-100 spread:transition-none [@media(hover:hover)]:block ${HALF}`}
          />
        )}
        {soldOut && (
          <span className="absolute top-2 left-2 rounded-cut bg-paper px-2 py-0.5 text-sm font-semibold">Sold out</span>
        )}
        {oldPriceCents && !soldOut && (
          <span className="absolute top-2 left-2 rounded-cut bg-ember-deep px-2 py-0.5 text-sm font-semibold text-paper">
            On sale
          </span>
        )}
        {/* Only visual: screen readers get the sizes on the product's page. */}
        {sizesInStock.length > 0 && (
          <span
            aria-hidden="true"
            className="absolute inset-x-0 bottom-0 bg-paper/95 py-2 text-center text-sm font-medium whitespace-pre-wrap opacity-0 transition-opacity duration-200 group-hover:opacity-100 group-focus-visible:opacity-100"
          >
            {sizesInStock.map(sizeName).join("    ")}
          </span>
        )}
      </span>{" "}
      <span className="mt-3 block text-[0.9375rem] leading-5 font-[560] tracking-[0.02em] uppercase underline-offset-4 group-hover:underline">
        {title}
      </span>{" "}
      {color && <span className="block text-sm text-muted">{color}</span>}{" "}
      <Price cents={priceCents} rate={rate} className="text-[0.9375rem] font-medium" />
      {oldPriceCents && <OldPrice cents={oldPriceCents} rate={rate} isShort className="block" />}
    </Link>
  );
}

/** Both prices, as "$49.99  ≈ ₦79,984". A line break is possible only between them. */
export function Price({ cents, rate, className = "" }: { cents: UsdCents; rate: Rate; className?: string }) {
  return (
    <span className={`mt-0.5 block ${className}`}>
      <PricePair cents={cents} rate={rate} className="gap-x-3" />
    </span>
  );
}
