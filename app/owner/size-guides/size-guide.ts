import type { SizeGuideTable } from "#app/catalog/size-guides/guide.ts";
import { isPossible, LEAST_CM, MOST_CM, measureKey } from "#app/catalog/size-guides/measure.ts";
import { EITHER_SORT, inOrder, isMixed } from "#app/catalog/sizes.ts";
import type { ProductKind } from "#db/types.ts";

/** The longest id, in characters. */
export const ID_MAX = 60;
/** No guide has this id: the office has the form of a new one at its address. */
export const NEW_ID = "new";
export const NAME_MAX = 60;
/** The longest name of a measure. */
export const MEASURE_MAX = 30;
/** The longest line about a measure, or about how the piece falls. */
export const LINE_MAX = 120;
export const MOST_GUIDES = 200;
export const MOST_MEASURES = 8;
/** The most single products of a guide. */
export const MOST_PRODUCTS = 500;

/** What an owner sets of a size guide. `collections` and `products` are ids. */
export type SizeGuideWish = SizeGuideTable & {
  name: string;
  kinds: ProductKind[];
  collections: string[];
  products: string[];
};

/** A size guide as commands print and read it. */
export type SizeGuideDocument = SizeGuideWish & { id: string };

export const CM_RULE = `Centimetres from ${LEAST_CM} to ${MOST_CM}, like 96 or 96.5`;

/** Whether a guide may have this number: possible, with at most one decimal. */
export function isCentimetres(cm: number): boolean {
  return isPossible({ value: cm, unit: "cm" }) && Number(cm.toFixed(1)) === cm;
}

type Table = Pick<SizeGuideTable, "measures" | "sizes">;

/** What is wrong with a table as a whole, by the place in it. */
export function tableProblems({ measures, sizes }: Table): { path: (string | number)[]; message: string }[] {
  const repeats = (names: string[]) => names.flatMap((name, at) => (name && names.indexOf(name) < at ? [at] : []));
  const names = sizes.map(({ size }) => size);
  return [
    ...repeats(measures.map(({ name }) => measureKey(name))).map((at) => {
      return { path: ["measures", at, "name"], message: "Another measure has this name" };
    }),
    ...repeats(names).map((at) => ({ path: ["sizes", at, "size"], message: "This size is there twice" })),
    ...sizes.flatMap(({ cm }, at) =>
      cm.length === measures.length ? [] : [{ path: ["sizes", at, "cm"], message: "One value for each measure" }],
    ),
    ...(isMixed(names) ? [{ path: ["sizes"], message: `This mixes sizes: ${EITHER_SORT}` }] : []),
  ];
}

/** The same guide with everything in the one order in which it is stored, each thing once. Its kinds already are. */
export function inStoredOrder<Guide extends SizeGuideWish>(guide: Guide): Guide {
  return {
    ...guide,
    collections: [...new Set(guide.collections)].sort(),
    products: [...new Set(guide.products)].sort(),
    sizes: inOrder(guide.sizes),
  };
}
