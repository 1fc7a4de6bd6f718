import type { Rate } from "#app/money/exchange-rate.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import type { ProductCard } from "../product.ts";
import { ProductGrid } from "../product-card.tsx";

type Props = { title: string; text: string; products: ProductCard[]; rate: Rate };

/** The content of a page for an unknown URL: a search field and some products. */
export function NotHere({ title, text, products, rate }: Props) {
  return (
    <main className="page [--page:111rem] py-8 sm:py-12">
      <h1 className="headline text-3xl sm:text-5xl">{title}</h1>
      <p className="mt-3 mb-6 text-muted">{text}</p>
      <search>
        <form action="/shop" className="flex max-w-xl flex-wrap items-end gap-3">
          <div className="flex-1 basis-40">
            <Field label="Search the shop" name="q" type="search" autoComplete="off" />
          </div>
          <Button look="outline" className="w-28 px-4!">
            Search
          </Button>
        </form>
      </search>
      {products.length > 0 && (
        <div className="mt-10">
          <ProductGrid products={products} rate={rate} />
        </div>
      )}
      <div className="mt-10 flex flex-wrap items-center gap-x-8 gap-y-2">
        <ButtonLink to="/shop">To the shop</ButtonLink>
        <Help />
      </div>
    </main>
  );
}
