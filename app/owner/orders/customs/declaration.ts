import { countryName } from "#app/catalog/customs.ts";
import { CUSTOMS_DETAILS, type DetailName, detailWord } from "#app/catalog/product-fields.ts";
import type { ProductDetails } from "#db/types.ts";

/** Pieces of one product in a parcel, whatever their sizes, with what was paid for them. */
export type Declared = { productId: string; title: string; quantity: number; kobo: number; cents: number };
/** A product as customs ask about it. `kinds`: the names of its kinds. */
export type DeclaredProduct = { kinds: string[]; details: ProductDetails };
/** A row of a customs declaration. `grams` is the net weight of all pieces; `missing` names what the product lacks. */
export type DeclaredRow = Declared & {
  description: string;
  grams?: number;
  hsCode?: string;
  origin?: string;
  missing: string[];
};
export type Declaration = { rows: DeclaredRow[]; grams?: number; kobo: number; cents: number };

/** The contents of a parcel as customs want them. A weight is the whole parcel's only if every piece has one. */
export function declarationOf(pieces: Declared[], products: ReadonlyMap<string, DeclaredProduct>): Declaration {
  const rows = pieces.map((piece) => rowOf(piece, products.get(piece.productId) ?? { kinds: [], details: {} }));
  const weights = rows.flatMap(({ grams }) => grams ?? []);
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  return {
    rows,
    grams: weights.length === rows.length ? sum(weights) : undefined,
    kobo: sum(rows.map(({ kobo }) => kobo)),
    cents: sum(rows.map(({ cents }) => cents)),
  };
}

function rowOf(piece: Declared, { kinds, details }: DeclaredProduct): DeclaredRow {
  const { weightGrams, hsCode, originCountry, fabric } = details;
  const what = kinds.length > 0 ? `${piece.title} (${kinds.join(", ").toLowerCase()})` : piece.title;
  return {
    ...piece,
    description: [what, fabric].filter(Boolean).join(", "),
    grams: weightGrams && weightGrams * piece.quantity,
    hsCode,
    origin: originCountry && (countryName(originCountry) ?? originCountry),
    missing: CUSTOMS_DETAILS.filter((name: DetailName) => !details[name]).map(detailWord),
  };
}

/** 1230 -> "1.230", as kilograms. */
export const kilograms = (grams: number) => (grams / 1000).toFixed(3);

/** 61091000 -> "6109.10.00", the way codes are printed in tariffs. */
export const printedCode = (code: string) => [code.slice(0, 4), ...(code.slice(4).match(/..?/g) ?? [])].join(".");
