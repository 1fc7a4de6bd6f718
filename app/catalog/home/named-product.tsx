import type { Rate } from "#app/money/exchange-rate.ts";
import { Link } from "#app/ui/link.tsx";
import { PricePair } from "../currency/price-pair.tsx";
import type { Product } from "../product.ts";

/** What the home page needs of a product that it names. */
export type NamedProduct = Pick<Product, "id" | "title" | "priceCents">;

type Props = { product: NamedProduct; rate: Rate };

/** A link with a product's name and price, in the colour of its ground's words. */
export function NamedProductLink({ product: { id, title, priceCents }, rate }: Props) {
  return (
    <Link
      to={`/singleProduct/${id}`}
      prefetch="intent"
      className="group inline-grid min-h-11 content-start items-baseline gap-x-2 leading-5.5 min-[24rem]:inline-flex min-[24rem]:flex-wrap min-[24rem]:content-center"
    >
      <span className="font-semibold underline decoration-1 underline-offset-4 group-hover:decoration-2">{title}</span>
      <PricePair cents={priceCents} rate={rate} className="*:text-current!" />
    </Link>
  );
}
