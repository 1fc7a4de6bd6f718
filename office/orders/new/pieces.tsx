import { Form, useSearchParams } from "react-router";
import { variantText } from "#app/catalog/sizes.ts";
import { formatUsd } from "#app/money/format.ts";
import { timesCents, usdCents } from "#app/money/money.ts";
import { priceNote } from "#app/offers/price-note.ts";
import { isSamePiece, type Units } from "#app/orders/units.ts";
import type { ListedProduct } from "#app/owner/catalog/product-list.server.ts";
import { LONGEST_REASON } from "#app/owner/orders/links/limits.ts";
import type { OrderLine } from "#db/types.ts";
import { Button, ButtonLink, ButtonSummary } from "../../frame/button.tsx";
import { Field, TextField } from "../../frame/field.tsx";
import { OtherFilters, Search } from "../../frame/list-tools.tsx";
import { Notice } from "../../frame/notice.tsx";
import { PieceImage } from "../pieces.tsx";
import { basketOf, priceName, textOf, withQuantity } from "./basket.ts";

type ItemsProps = {
  products?: Found[];
  units: Units[];
  prices?: Record<string, string>;
  refused?: string;
  unsold?: string;
  order?: { lines: OrderLine[] };
};

/** The search for products, and the items of the order. */
export function OrderItems({ products, units, prices, refused, unsold, order }: ItemsProps) {
  return (
    <>
      <div className="mb-3 flex">
        <Search label="Find a product" />
      </div>
      {products && (products.length > 0 ? <FoundProducts products={products} /> : <p>Nothing found.</p>)}
      {unsold && (
        <>
          <Notice kind="error">{unsold}</Notice>
          <Unpriced units={units} />
        </>
      )}
      {order && (
        <>
          <h3 className="mt-5 mb-2 font-semibold">In this order</h3>
          {refused && <Notice kind="error">{refused}</Notice>}
          <Basket lines={order.lines} prices={prices} />
        </>
      )}
    </>
  );
}

type InputsProps = { order?: { lines: OrderLine[] }; agreed: string[]; reason?: string; problem?: string };

/** The items and agreed prices as fields of the form that sells them, and a field for the reason of these prices. */
export function ItemInputs({ order, agreed, reason, problem }: InputsProps) {
  return (
    <>
      {order?.lines.map((line) => (
        <input key={textOf(line)} type="hidden" name="pieces[]" value={textOf(line)} />
      ))}
      {agreed.map((price) => (
        <input key={price} type="hidden" name="prices[]" value={price} />
      ))}
      {agreed.length > 0 && (
        <TextField
          label="Why another price?"
          note="for the order’s history; don’t name anybody"
          name="reason"
          defaultValue={reason}
          maxLength={LONGEST_REASON}
          problem={problem}
        />
      )}
    </>
  );
}

const ROWS = "divide-y divide-hairline border-y border-hairline";

/** A product that was found: each size with how many can be sold, as a link that adds one. */
export type Found = Pick<ListedProduct, "id" | "title" | "color" | "sizes"> & { image: OrderLine["image"] };

function FoundProducts({ products }: { products: Found[] }) {
  const [params] = useSearchParams();
  const basket = basketOf(params);
  return (
    <ul className={ROWS}>
      {products.map(({ id, title, color, image, sizes }) => (
        <li key={id} className="grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 py-2.5">
          <PieceImage line={{ image }} width={36} />
          <span>
            <strong className="font-semibold wrap-anywhere">{title}</strong>{" "}
            <span className="block text-muted">{color}</span>
          </span>
          <ul className="col-start-2 flex flex-wrap gap-2">
            {sizes.map(({ size, pieces, held }) => {
              const piece = { productId: id, size };
              const left = pieces - held - (basket.find((one) => isSamePiece(one, piece))?.quantity ?? 0);
              const text = `${size}, ${Math.max(0, left)} left`;
              return (
                <li key={size}>
                  {left > 0 ? (
                    <ButtonLink
                      look="line"
                      preventScrollReset
                      to={withQuantity(params, piece, pieces - held - left + 1)}
                      aria-label={`Add ${title}, ${text}`}
                    >
                      {text}
                    </ButtonLink>
                  ) : (
                    <span className="inline-flex min-h-11 items-center px-3.5 text-muted lg:min-h-9">{text}</span>
                  )}
                </li>
              );
            })}
          </ul>
        </li>
      ))}
    </ul>
  );
}

type BasketProps = {
  lines: OrderLine[];
  /** The agreed prices as typed, by parameter. Undefined for a member who may not agree on any. */
  prices?: Record<string, string>;
};

/**
 * The items of the order, each with links that add one, take one away, or take it out, and a field for another price.
 */
function Basket({ lines, prices }: BasketProps) {
  const [params] = useSearchParams();
  return (
    <ul className={ROWS}>
      {lines.map((line) => {
        const { productId, size, title, quantity, priceCents } = line;
        const to = (next: number) => withQuantity(params, { productId, size }, next);
        const name = `${title}, ${variantText(line)}`;
        return (
          <li key={`${productId} ${size}`} className="grid grid-cols-[3rem_minmax(0,1fr)_auto] gap-3 py-2.5">
            <PieceImage line={line} width={48} />
            <span>
              <strong className="font-semibold wrap-anywhere">{title}</strong>{" "}
              <span className="block text-muted">{`${variantText(line)} × ${quantity}`}</span>{" "}
              {priceNote(line) && <span className="block text-[0.8125rem] text-palm">{priceNote(line)}</span>}
            </span>
            <span className="text-right tabular-nums">{formatUsd(timesCents(usdCents(priceCents), quantity))}</span>
            <span className="col-start-2 col-end-4 flex flex-wrap gap-x-4">
              <ButtonLink look="quiet" preventScrollReset to={to(quantity + 1)} aria-label={`One more: ${name}`}>
                One more
              </ButtonLink>
              {quantity > 1 && (
                <ButtonLink look="quiet" preventScrollReset to={to(quantity - 1)} aria-label={`One less: ${name}`}>
                  One less
                </ButtonLink>
              )}
              <ButtonLink look="quiet" preventScrollReset to={to(0)} aria-label={`Take out: ${name}`}>
                Take out
              </ButtonLink>
            </span>
            {prices && <OtherPrice name={priceName(line)} item={name} prices={prices} />}
          </li>
        );
      })}
    </ul>
  );
}

type OtherPriceProps = { name: string; item: string; prices: Record<string, string> };

/** A folded form for the price of a piece that staff agree on with the customer. The URL keeps it. */
function OtherPrice({ name, item, prices }: OtherPriceProps) {
  return (
    <details open={prices[name] !== undefined} className="col-start-2 col-end-4">
      <ButtonSummary look="quiet" aria-label={`Another price: ${item}`}>
        Another price
      </ButtonSummary>
      <Form preventScrollReset className="mt-1 mb-2 flex items-end gap-2">
        <OtherFilters than={[name]} />
        <Field label="Each, in dollars" note="empty: the shop’s price">
          <input
            name={name}
            defaultValue={prices[name]}
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            className="input tabular-nums"
          />
        </Field>{" "}
        <Button look="line" aria-label={`Set the price: ${item}`}>
          Set
        </Button>
      </Form>
    </details>
  );
}

/** The items of an order that can't be priced as it is, each with a link that takes it out. */
function Unpriced({ units }: { units: Units[] }) {
  const [params] = useSearchParams();
  return (
    <ul className={`mt-3 ${ROWS}`}>
      {units.map((piece) => (
        <li key={textOf(piece)} className="flex flex-wrap items-center justify-between gap-3 py-1.5">
          <span className="wrap-anywhere">{`${piece.productId}, ${piece.size} × ${piece.quantity}`}</span>
          <ButtonLink
            look="quiet"
            preventScrollReset
            to={withQuantity(params, piece, 0)}
            aria-label={`Take out: ${piece.productId}, ${piece.size}`}
          >
            Take out
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}
