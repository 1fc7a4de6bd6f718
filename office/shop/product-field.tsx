import { useId, useState } from "react";
import { useFetcher } from "react-router";
import { TextField } from "../frame/field.tsx";

export type NamedProduct = { id: string; title: string };

type Props = {
  label: string;
  /** The product's id, or what is typed to find one. */
  value: string;
  /** Products whose titles are known. */
  products: NamedProduct[];
  problem?: string;
  onChange(value: string): void;
};

/** A field for the id of a product, which is found by words of its title. */
export function ProductField({ label, value, products, problem, onChange }: Props) {
  const search = useFetcher<NamedProduct[]>();
  const [found, setFound] = useState(products);
  const list = useId();
  const known = search.data ? [...search.data, ...found] : found;
  const named = known.find(({ id }) => id === value);
  return (
    <>
      <TextField
        label={label}
        note={named ? named.title : "type part of its title"}
        problem={problem}
        list={list}
        value={value}
        onChange={({ target: { value } }) => {
          onChange(value.trim());
          if (search.data) setFound(known);
          void search.load(`/shop/hero/products?${new URLSearchParams({ q: value })}`);
        }}
      />
      <datalist id={list}>
        {(search.data ?? products).map(({ id, title }) => (
          <option key={id} value={id} label={title} />
        ))}
      </datalist>
    </>
  );
}
