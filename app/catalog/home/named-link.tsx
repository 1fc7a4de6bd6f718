import type { Rate } from "#app/money/exchange-rate.ts";
import type { UsdCents } from "#app/money/money.ts";
import { Link } from "#app/ui/link.tsx";
import { PricePair } from "../currency/price-pair.tsx";

/** The target of a link on the home page. Only products have a price. */
export type NamedPlace = { to: string; title: string; priceCents?: UsdCents };

type Props = { place: NamedPlace; rate: Rate };

/**
 * A link with the name of a product and its price, or with the name of a page, in the text colour of its surroundings.
 */
export function NamedLink({ place: { to, title, priceCents }, rate }: Props) {
  return (
    <Link
      to={to}
      prefetch="intent"
      className="group inline-grid min-h-11 content-start items-baseline gap-x-2 leading-5.5 min-[24rem]:inline-flex min-[24rem]:flex-wrap min-[24rem]:content-center"
    >
      <span className="font-semibold underline decoration-1 underline-offset-4 group-hover:decoration-2">{title}</span>{" "}
      {priceCents && <PricePair cents={priceCents} rate={rate} className="*:text-current!" />}
    </Link>
  );
}
