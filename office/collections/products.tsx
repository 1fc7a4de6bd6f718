import { type ComponentProps, type ReactNode, type SyntheticEvent, useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { pictureUrl } from "#app/catalog/product.ts";
import type { CollectionProduct } from "#app/owner/collections/collections.server.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Button, END, MoveButton } from "../frame/button.tsx";
import { ProductState } from "../products/table.tsx";
import { useRowDrag } from "./drag.tsx";

type ListProps = { products: CollectionProduct[]; mayChange: boolean };

/** The products of a collection in their order, each with a handle and buttons that move it or take it out. */
export function ProductsInOrder({ products, mayChange }: ListProps) {
  const rows = useKeptFocus<HTMLOListElement>(products);
  const { rowProps, handle } = useRowDrag(products.map(({ id }) => id));
  return (
    <ol {...rows} className={ROWS}>
      {products.map((product, at) => (
        <Row key={product.id} product={product} {...(mayChange && rowProps(product.id))}>
          {mayChange && (
            <>
              {handle(product.id)}
              <MoveButton
                name="First"
                of={nameOf(product)}
                field={["product", product.id]}
                before={at > 0 ? products[0]?.id : undefined}
              />
              <MoveButton
                name="Earlier"
                of={nameOf(product)}
                field={["product", product.id]}
                before={products[at - 1]?.id}
              />
              <MoveButton
                name="Later"
                of={nameOf(product)}
                field={["product", product.id]}
                before={at < products.length - 1 ? (products[at + 2]?.id ?? END) : undefined}
              />
              <Form method="post" preventScrollReset>
                <input type="hidden" name="product" value={product.id} />
                <Button
                  look="bare"
                  name="intent"
                  value="remove"
                  aria-label={`Take ${nameOf(product)} out`}
                  className="w-11 lg:w-9"
                >
                  <CloseIcon className="size-5" />
                  <span className="sr-only">Take out</span>
                </Button>
              </Form>
            </>
          )}
        </Row>
      ))}
    </ol>
  );
}

/** The colour tells products of one model apart. */
const nameOf = ({ title, color }: CollectionProduct) => [title, color].filter(Boolean).join(", ");
const ROWS = "divide-y divide-hairline border-y border-hairline";
/** Products that were found, each with a button that adds it, and one that adds all of them. */
export function ProductsToAdd({ products }: { products: CollectionProduct[] }) {
  const rows = useKeptFocus<HTMLUListElement>(products);
  const isPending = useNavigation().formData?.get("intent") === "add";
  return (
    <>
      <ul {...rows} className={ROWS}>
        {products.map((product) => (
          <Row key={product.id} product={product}>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="products[]" value={product.id} />
              <Button look="line" name="intent" value="add" aria-label={`Add ${nameOf(product)}`}>
                Add
              </Button>
            </Form>
          </Row>
        ))}
      </ul>
      {products.length > 1 && (
        <Form method="post" preventScrollReset className="mt-3">
          {products.map(({ id }) => (
            <input key={id} type="hidden" name="products[]" value={id} />
          ))}
          <Button look="line" name="intent" value="add" isPending={isPending}>
            {`Add all ${products.length}`}
          </Button>
        </Form>
      )}
    </>
  );
}

/**
 * Props for a list whose rows have buttons that move or remove them, which takes the focus off the pressed button. The
 * focus returns to that button, or, if it is gone or disabled, to the first one of its row, or of the row in its place.
 */
function useKeptFocus<List extends HTMLElement>(rows: CollectionProduct[]) {
  const ref = useRef<List>(null);
  const pressed = useRef<{ name: string; id?: string; at: number }>(undefined);
  const order = rows.map(({ id }) => id).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the rows
  useEffect(() => {
    const { current: last } = pressed;
    pressed.current = undefined;
    const { activeElement } = document;
    const isLost = activeElement === document.body || (activeElement as HTMLButtonElement | null)?.disabled;
    if (!last || !ref.current || !isLost) return;
    const at = rows.findIndex(({ id }) => id === last.id);
    const row = ref.current.children[at < 0 ? Math.min(last.at, rows.length - 1) : at];
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>("button:not(:disabled)") ?? [])];
    (buttons.find(({ ariaLabel }) => ariaLabel === last.name) ?? buttons[0])?.focus();
  }, [order]);
  const onSubmit = ({ nativeEvent }: SyntheticEvent<List>) => {
    const { submitter } = nativeEvent as globalThis.SubmitEvent;
    const row = submitter?.closest("li");
    if (!submitter || !row) return;
    const at = [...(ref.current?.children ?? [])].indexOf(row);
    pressed.current = { name: submitter.ariaLabel ?? "", id: rows[at]?.id, at };
  };
  return { ref, onSubmit };
}

type RowProps = ComponentProps<"li"> & { product: CollectionProduct; children: ReactNode };

function Row({ product, children, ...rest }: RowProps) {
  const { title, color, cover } = product;
  return (
    <li
      {...rest}
      className="grid grid-cols-[2.25rem_minmax(0,1fr)] items-center gap-x-3 py-1.5 data-[drop=above]:shadow-[0_-2px_var(--color-ink)] data-[drop=below]:shadow-[0_2px_var(--color-ink)] lg:grid-cols-[2.25rem_minmax(0,1fr)_auto]"
    >
      <span className="block h-11 w-9 overflow-hidden rounded-cut bg-linen">
        <img
          src={cover ? pictureUrl(cover, 160, "webp") : "/placeholder.svg"}
          alt=""
          loading="lazy"
          className="size-full object-cover"
          style={{ objectPosition: cover?.focus }}
        />
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        <span className="font-semibold wrap-anywhere">{title}</span> <span className="text-muted">{color}</span>{" "}
        <ProductState {...product} />
      </span>{" "}
      <div className="flex flex-wrap items-center gap-x-1 max-lg:col-start-2 max-lg:-ml-2">{children}</div>
    </li>
  );
}
