import { pictureUrl } from "#app/catalog/product.ts";
import { sizeName } from "#app/catalog/sizes.ts";
import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import type { ListedProduct } from "#app/owner/catalog/product-list.server.ts";
import type { ProductImage } from "#db/types.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";

const NEARLY_OUT = 3;

/** A table of products that link to their pages. */
export function ProductsTable({ label, products, rate }: { label: string; products: ListedProduct[]; rate: Rate }) {
  return (
    <Table
      label={label}
      rows={products}
      idOf={({ id }) => id}
      href={({ id }) => `/products/${id}`}
      columns={columnsAt(rate)}
      narrow={{
        picture: ({ cover }) => <Cover cover={cover} />,
        lead: ({ title }) => title,
        about: ({ priceCents, color, sizes }) =>
          [formatUsd(usdCents(priceCents)), color, `${piecesOf(sizes)} pc`].filter(Boolean).join(" · "),
      }}
    />
  );
}

function columnsAt(rate: Rate): Column<ListedProduct>[] {
  return [
    {
      head: "Product",
      cell: ({ cover, title, color }) => (
        <span className="flex items-center gap-3 py-1.5">
          <Cover cover={cover} />
          <span>
            <span className="block font-semibold">{title}</span> <span className="block text-muted">{color}</span>
          </span>
        </span>
      ),
    },
    {
      head: "Price",
      slot: "sum",
      align: "end",
      cell: ({ priceCents }) => (
        <>
          <span className="block">{formatKobo(chargeInKobo(usdCents(priceCents), rate))}</span>{" "}
          <span className="block text-[0.8125rem] text-muted max-lg:hidden">{formatUsd(usdCents(priceCents))}</span>
        </>
      ),
    },
    { head: "In stock", cell: ({ sizes }) => <Sizes sizes={sizes} /> },
    { head: "All", align: "end", cell: ({ sizes }) => piecesOf(sizes) },
    {
      head: "State",
      slot: "state",
      cell: ({ hasQueue, ...product }) => (
        <>
          <ProductState {...product} /> {hasQueue && <State tone="going">Queue</State>}
        </>
      ),
    },
  ];
}

function Cover({ cover }: { cover?: ProductImage }) {
  return (
    <span className="block h-11 w-9 flex-none overflow-hidden rounded-cut bg-linen">
      <img
        src={cover ? pictureUrl(cover, 160, "webp") : "/placeholder.svg"}
        alt=""
        loading="lazy"
        className="size-full object-cover"
        style={{ objectPosition: cover?.focus }}
      />
    </span>
  );
}

type Stock = ListedProduct["sizes"];

function Sizes({ sizes }: { sizes: Stock }) {
  return (
    <span className="flex pl-6 tabular-nums">
      {sizes.map(({ size, pieces, held }) => (
        <span key={size} className="min-w-16" title={held > 0 ? `${held} held by payments under way` : undefined}>
          <span className="text-muted">{sizeName(size)}</span>{" "}
          <span
            className={
              pieces === 0 ? "text-muted" : pieces - held <= NEARLY_OUT ? "font-semibold text-waiting" : "font-semibold"
            }
          >
            {pieces}
          </span>{" "}
        </span>
      ))}
    </span>
  );
}

const piecesOf = (sizes: Stock) => sizes.reduce((all, { pieces }) => all + pieces, 0);

/** The state of a product in the shop. */
export function ProductState({ hidden, publishAt, inStock }: Pick<ListedProduct, "hidden" | "publishAt" | "inStock">) {
  if (publishAt)
    return (
      <State tone="going">
        <Time at={publishAt} />
      </State>
    );
  if (hidden) return <State tone="rest">Draft</State>;
  return inStock ? <State tone="done">Published</State> : <State tone="waiting">Sold out</State>;
}
