import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { ProductColor } from "./product.ts";

type Props = {
  colors: ProductColor[];
  /** The id of the product on this page. */
  shown: string;
};

/** Links to the same product in its other colours, each with its picture. Nothing if there is only one colour. */
export function ColorLinks({ colors, shown }: Props) {
  if (colors.length === 0) return null;
  return (
    <nav aria-label="Colours">
      <p aria-hidden="true" className="mb-2 text-sm font-semibold">
        {`${colors.length} colours`}
      </p>
      <ul className="flex flex-wrap gap-3">
        {colors.map((one) => (
          <li key={one.id} className="w-16">
            <Link
              to={`/singleProduct/${one.id}`}
              prefetch="intent"
              preventScrollReset
              title={one.color}
              aria-current={one.id === shown ? "page" : undefined}
              className="relative block min-h-20 rounded-cut bg-linen aria-[current]:outline-2 aria-[current]:outline-offset-2 aria-[current]:outline-ink"
            >
              <Swatch {...one} />{" "}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Classes of a diagonal line over a colour that is sold out. Sizes have the same through their names. */
export const STRIKE =
  "bg-paper/45 bg-linear-to-tr from-transparent from-[calc(50%-1px)] via-ink via-50% to-transparent to-[calc(50%+1px)]";
const STRUCK = `absolute inset-0 rounded-cut ${STRIKE}`;

function Swatch({ color, front, inStock }: ProductColor) {
  return (
    <>
      {front && <Picture image={front} sizes="4rem" upTo={320} alt="" />}
      <span className={front ? "sr-only" : "grid min-h-20 place-items-center p-1 text-center text-sm wrap-anywhere"}>
        {color}
      </span>
      {!inStock && (
        <>
          <span aria-hidden="true" className={STRUCK} />
          <span className="sr-only">, sold out</span>
        </>
      )}
    </>
  );
}
