import { useState } from "react";
import { useFetcher } from "react-router";
import { HERO_PLACES, productOf, targetOf } from "#app/catalog/home/hero.ts";
import { LABEL_MAX } from "#app/owner/shop/hero.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import type { HeroSlide } from "#db/types.ts";
import { useScriptsFor } from "../connection/scripts-ahead.browser.ts";
import { Field } from "../frame/field.tsx";

export type NamedProduct = { id: string; title: string };
export type NamedCollection = { id: string; name: string };

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
  const search = useFetcher<NamedProduct[]>();
  const [found, setFound] = useState(products);
  const id = productOf(target);
  const known = search.data ? [...search.data, ...found] : found;
  const named = known.find((one) => one.id === id);
  const places = Object.entries(HERO_PLACES);
  for (const { id, name } of collections) places.push([collectionPath(id), name]);
  const isGone = target !== "" && id === undefined && !places.some(([to]) => to === target);
  if (isGone) places.push([target, "A deleted collection"]);
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
        <>
          <Field label="Product" note={named ? named.title : "type part of its title"} problem={problems.target}>
            <input
              list="hero-products"
              value={id}
              onChange={({ target: { value } }) => {
                onChange({ target: targetOf(value.trim()) });
                if (search.data) setFound(known);
                void search.load(`/shop/hero/products?${new URLSearchParams({ q: value })}`);
              }}
              autoComplete="off"
              className="input"
            />
          </Field>
          <datalist id="hero-products">
            {(search.data ?? products).map(({ id, title }) => (
              <option key={id} value={id} label={title} />
            ))}
          </datalist>
        </>
      )}
      {target !== "" && (
        <Field
          label="Text of the link"
          note={id === undefined ? `empty: ${place}` : "empty: the product’s title; its price follows"}
          problem={problems.label}
        >
          <input
            value={label}
            onChange={({ target: { value } }) => onChange({ label: value })}
            maxLength={LABEL_MAX}
            autoComplete="off"
            className="input"
          />
        </Field>
      )}
    </>
  );
}
