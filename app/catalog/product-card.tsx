import type { Rate } from "#app/money/exchange-rate.ts";
import type { UsdCents } from "#app/money/money.ts";
import { Link } from "#app/ui/link.tsx";
import { Picture, srcSet } from "#app/ui/picture.tsx";
import { PricePair } from "./currency/price-pair.tsx";
import { PlaceholderPicture } from "./placeholder-picture.tsx";
import { type ProductCard, pictureUrl } from "./product.ts";

const CARD_SIZES = "(min-width: 1280px) 21rem, (min-width: 1024px) 30vw, 46vw";

export function ProductGrid({ products, rate, eager = 0 }: { products: ProductCard[]; rate: Rate; eager?: number }) {
  return (
    <ul className="grid grid-cols-2 gap-x-3 gap-y-8 sm:gap-x-5 lg:grid-cols-3 xl:grid-cols-4">
      {products.map((product, index) => (
        <li key={product.id}>
          <Card product={product} rate={rate} eager={index < eager} urgent={eager > 0 && index === 0} />
        </li>
      ))}
    </ul>
  );
}

type CardProps = { product: ProductCard; rate: Rate; eager: boolean; urgent: boolean };

function Card({ product: { id, title, priceCents, front, back, soldOut }, rate, eager, urgent }: CardProps) {
  return (
    <Link to={`/singleProduct/${id}`} prefetch="intent" className="group block">
      <span className="relative block">
        {front ? (
          <Picture
            image={front}
            sizes={CARD_SIZES}
            upTo={800}
            eager={eager}
            urgent={urgent}
            className={soldOut ? "opacity-70" : ""}
          />
        ) : (
          <PlaceholderPicture className={soldOut ? "opacity-70" : ""} />
        )}
        {/* Only where a pointer can hover; a browser that cannot show this format keeps the front. */}
        {back && (
          <img
            src={pictureUrl({ hash: back }, 640, "jpg")}
            srcSet={srcSet(back, "avif", 800)}
            sizes={CARD_SIZES}
            alt=""
            loading="lazy"
            decoding="async"
            className="absolute inset-0 hidden size-full rounded-cut object-cover opacity-0 transition-opacity duration-300 group-hover:opacity-100 [@media(hover:hover)]:block"
          />
        )}
        {soldOut && <span className="label absolute top-3 left-3 rounded-cut bg-paper px-2 py-1">Sold out</span>}
      </span>
      <span className="mt-3 block font-bold uppercase leading-tight underline-offset-4 group-hover:underline">
        {title}
      </span>
      <Price cents={priceCents} rate={rate} />
    </Link>
  );
}

/** `$49.99  ≈ ₦79,984`: no price wraps in its middle. */
export function Price({ cents, rate, className = "" }: { cents: UsdCents; rate: Rate; className?: string }) {
  return (
    <span className={`mt-1 block ${className}`}>
      <PricePair cents={cents} rate={rate} className="gap-x-3 font-semibold" />
    </span>
  );
}
