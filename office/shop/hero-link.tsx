import { HERO_PLACES, productOf, targetOf } from "#app/catalog/home/hero.ts";
import { LABEL_MAX } from "#app/owner/shop/hero.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import type { HeroSlide } from "#db/types.ts";
import { useScriptsFor } from "../connection/scripts-ahead.browser.ts";
import { Field, TextField } from "../frame/field.tsx";
import { useKinds } from "../kinds/context.ts";
import { type NamedProduct, ProductField } from "./product-field.tsx";

export type NamedCollection = { id: string; name: string };
type Place = [to: string, name: string];

type Props = {
  slide: HeroSlide;
  /** The products to which the slides link at the moment. */
  products: NamedProduct[];
  /** The collections that the shop shows, and those to which the slides link. */
  collections: NamedCollection[];
  problems: { target?: string; label?: string };
  onChange(change: Partial<HeroSlide>): void;
};

const PRODUCT = "product";

/** The target of a slide's second link: a product, or a page of the shop. The first link always leads to the shop. */
export function HeroLink({ slide: { target, label }, products, collections, problems, onChange }: Props) {
  useScriptsFor("/shop/hero/products");
  const id = productOf(target);
  const kinds = useKinds().filter(({ id }) => !collections.some((collection) => collection.id === id));
  const pages = (all: NamedCollection[]) => all.map(({ id, name }): Place => [collectionPath(id), name]);
  const places = [...pages(kinds), ...Object.entries(HERO_PLACES), ...pages(collections)];
  const isGone = target !== "" && id === undefined && !places.some(([to]) => to === target);
  if (isGone) places.push([target, "A deleted collection or kind"]);
  const place = places.find(([to]) => to === target)?.[1];
  return (
    <>
      <Field label="Link to" note="beside ‘Shop Now’" problem={id === undefined ? problems.target : undefined}>
        <select
          value={id === undefined ? target : PRODUCT}
          onChange={({ target: { value } }) => onChange({ target: value === PRODUCT ? targetOf("") : value })}
          autoComplete="off" // otherwise a reload would restore the choice of another slide
          className="input"
        >
          <option value="">No link</option>
          <option value={PRODUCT}>A product</option>
          {places.map(([to, name]) => (
            <option key={to} value={to}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {id !== undefined && (
        <ProductField
          label="Product"
          value={id}
          products={products}
          problem={problems.target}
          onChange={(value) => onChange({ target: targetOf(value) })}
        />
      )}
      {target !== "" && (
        <TextField
          label="Text of the link"
          note={id === undefined ? `empty: ${place}` : "empty: the product’s title; its price follows"}
          problem={problems.label}
          value={label}
          maxLength={LABEL_MAX}
          onChange={({ target }) => onChange({ label: target.value })}
        />
      )}
    </>
  );
}
