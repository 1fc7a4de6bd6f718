import { Fragment } from "react";
import { Link } from "#app/ui/link.tsx";
import { STRIKE } from "../color-links.tsx";
import type { CardColor } from "../product.ts";
import { swatchOf } from "./swatch.ts";

type Props = {
  /** The title of the model. */
  title: string;
  colors: CardColor[];
  /** The id of the product on the card. */
  shown: string;
};

/** Links from the card of a model to its colours. Those that are sold out are struck through. */
export function Swatches({ title, colors, shown }: Props) {
  return (
    <p className="mt-1 -ml-1 flex flex-wrap">
      {colors.map(({ id, color, inStock, families }) => (
        <Fragment key={id}>
          <Link
            to={`/singleProduct/${id}`}
            prefetch="intent"
            title={color}
            aria-current={id === shown || undefined}
            className="grid size-7 place-items-center rounded-full aria-[current]:outline aria-[current]:-outline-offset-2 aria-[current]:outline-ink"
          >
            <span
              aria-hidden="true"
              className="size-4.5 overflow-hidden rounded-full border border-ink/25 forced-color-adjust-none"
              style={{ background: swatchOf(families) }}
            >
              {!inStock && <span className={`block size-full ${STRIKE}`} />}
            </span>
            <span className="sr-only">{`${title}, ${color}${inStock ? "" : ", sold out"}`}</span>
          </Link>{" "}
        </Fragment>
      ))}
    </p>
  );
}
