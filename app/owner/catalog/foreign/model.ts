import { kindsIn } from "#app/catalog/product.ts";
import { CUSTOMS_DETAILS, type DetailName } from "#app/catalog/product-fields.ts";
import { ONE_SIZE, SIZE_RANGE, SIZES } from "#app/catalog/sizes.ts";
import { fold, hyphened } from "#app/infra/text/fold.ts";
import { formatUsd } from "#app/money/format.ts";
import { dollarText } from "#app/money/money.ts";
import { readWhole } from "#app/money/typed-number.ts";
import type { Kind, ProductKind } from "#db/types.ts";
import { kindKey } from "../../kinds/kind-key.ts";
import type { Place, TableProblem, TableRow } from "../table-row.ts";
import { centsIn, type FileCurrency } from "./currency.ts";

/** A text of a file with its place. */
export type Cell = { text: string; at: Place };
/** A size of a colour, as another shop sells it. A missing `stock` is in no column of the file. */
export type Piece = { color: Cell; size: Cell; price: Cell; stock?: Cell; pictures: string[]; customs?: Customs };
type Customs = Partial<Record<DetailName, Cell>>;
/** A product of another shop, in all its colours. `kinds` are cells with names of kinds, separated by commas. */
export type Model = {
  id: Cell;
  title: Cell;
  description: Cell;
  kinds: Cell[];
  hidden: boolean;
  pictures: { sources: string[]; at: Place };
  pieces: Piece[];
};
/**
 * A file in rows of the import, each a product in one colour. `problems` are mistakes, which keep a product out;
 * `leftOut` is what this shop has no place for.
 */
export type Translated = { rows: TableRow[]; problems: TableProblem[]; leftOut: TableProblem[] };

/** A record with a cell for each detail that customs ask for. */
export function eachCustoms(cell: (name: "weightGrams" | "hsCode" | "originCountry") => Cell): Customs {
  return { weightGrams: cell("weightGrams"), hsCode: cell("hsCode"), originCountry: cell("originCountry") };
}

const MOST_PICTURES = 20;
const LONGEST_ID = 100;

const SIZE_WORDS = new Map<string, string>([
  ...[...SIZES, ONE_SIZE].map((size): [string, string] => [size.toLowerCase(), size]),
  ["small", "S"],
  ["medium", "M"],
  ["large", "L"],
  ["xlarge", "XL"],
  ["extralarge", "XL"],
  ["2xl", "XXL"],
  ["xxlarge", "XXL"],
  ["2xlarge", "XXL"],
  ["onesize", ONE_SIZE],
  ["onesizefitsall", ONE_SIZE],
  ["os", ONE_SIZE],
  ["tailleunique", ONE_SIZE],
]);
const SIZE_OPTIONS = "size sizes taille tailles talla tallas grosse grossen tamanho taglia maat".split(" ");
const COLOR_OPTIONS = "color colors colour colours couleur couleurs farbe farben cor colore kleur".split(" ");

/** The meaning of another shop's option here. WooCommerce writes `pa_` before some names. */
export function optionOf(name: string): "size" | "color" | "other" {
  const word = fold(name).replace(/^pa /, "");
  if (SIZE_OPTIONS.includes(word)) return "size";
  return COLOR_OPTIONS.includes(word) ? "color" : "other";
}

export const otherOption = (name: string, values: string[]) =>
  `${few([name])}: ${few(values)} isn’t taken, because products differ only in size and colour`;

export const NO_PARCEL = "it is left out: it can’t be sent as a parcel";

/** The first of some texts, cut: a reason may be there for each row of a file. */
export function few(texts: string[]): string {
  const cut = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
  return [...texts.slice(0, 10).map(cut), ...(texts.length > 10 ? ["…"] : [])].join(", ");
}

/** An id from a name of another shop; empty if no letter or digit is left. */
export function idFrom(text: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(text) ? text.slice(0, LONGEST_ID) : hyphened(text, LONGEST_ID);
}

/** The rows of one model: a product for each of its colours. */
export function translate(model: Model, money: FileCurrency, allKinds: readonly Kind[]): Translated {
  const done: Translated = { rows: [], problems: [], leftOut: [] };
  const { id, pieces } = model;
  const leave = (at: Place, reason: string) => done.leftOut.push({ ...at, id: id.text, reason });
  if (id.text === "") {
    done.problems.push({ ...id.at, reason: "there is nothing to make an id from" });
    return done;
  }
  const kinds = kindsOf(model.kinds, allKinds, leave);
  const known = pieces.flatMap((piece) => {
    const size = sizeOf(piece.size.text);
    if (!size) leave(piece.size.at, `the size ${piece.size.text} isn’t sold here: ${SIZE_RANGE}, or one size`);
    return size ? [{ ...piece, size: { ...piece.size, text: size } }] : [];
  });
  const colors = [...Map.groupBy(known, ({ color }) => fold(color.text)).values()];
  const isMany = new Set(pieces.map(({ color }) => fold(color.text))).size > 1; // also of colours that are left out
  if (colors.length === 0) leave(id.at, "the whole product is left out: no size of it is sold here");
  // A colour gets its own pictures, and those that belong to no colour.
  const taken = new Set(pieces.flatMap((piece) => piece.pictures));
  const shared = isMany ? model.pictures.sources.filter((source) => !taken.has(source)) : model.pictures.sources;
  const images = shared.slice(0, MOST_PICTURES + 1);
  const ids = new Set<string>();
  for (const [at, some] of colors.entries()) {
    const color = some[0]?.color ?? { text: "", at: id.at };
    const own = isMany ? inColor(id.text, color.text, at) : id.text;
    if (ids.has(own)) leave(color.at, `the colour ${color.text} is left out: another one has the same id, ${own}`);
    else if (isMany && color.text === "") leave(color.at, "the colour is missing, and others have one");
    else {
      const otherId = isMany ? id.text : color.text && inColor(id.text, color.text, at);
      const pictures = some.flatMap((piece) => piece.pictures);
      const all = isMany ? [...pictures, ...images] : [...images, ...pictures];
      addRow(done, { model, money, kinds, id: own, otherId, color, pieces: some, images: [...new Set(all)], leave });
    }
    ids.add(own);
  }
  return done;
}

type Leave = (at: Place, reason: string) => void;
type Colored = {
  model: Model;
  money: FileCurrency;
  kinds: ProductKind[];
  id: string;
  otherId: string;
  color: Cell;
  pieces: Piece[];
  images: string[];
  leave: Leave;
};

function addRow(done: Translated, given: Colored): void {
  const { model, money, kinds, id, otherId, color, pieces, images, leave } = given;
  const { title, description, hidden, pictures } = model;
  const places: Record<string, Place> = {
    id: model.id.at,
    title: title.at,
    color: color.at,
    description: description.at,
    images: pictures.at,
    price: pieces[0]?.price.at ?? model.id.at,
  };
  const prices = pieces.map(({ price: { text } }) => (text === "" ? undefined : centsIn(text, money)));
  const wrong = pieces.find(({ price }, at) => price.text !== "" && !prices[at]);
  if (wrong) {
    const sum = money.currency === "USD" ? "a price in dollars, like 49.99" : "a price in naira, like 31,200";
    done.problems.push({ ...wrong.price.at, id, reason: `'${wrong.price.text}' isn’t ${sum}` });
    return;
  }
  const price = prices.find((cents) => cents !== undefined);
  const sizes: Record<string, unknown> = {};
  const uncounted: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    const { size } = piece;
    const cents = prices[at];
    if (size.text in sizes) leave(size.at, `the size ${size.text} is there twice`);
    else if (cents !== price)
      leave(
        piece.price.at,
        `the size ${size.text} is left out: ${cents ? `it costs ${formatUsd(cents)}` : "it has no price"}, and a product has one price${price ? `, ${formatUsd(price)}` : ""}`,
      );
    else {
      const { pieces, isCounted } = stockOf(piece, leave);
      sizes[size.text] = pieces;
      if (!isCounted) uncounted.push(size.text);
      places[`sizes.${size.text}`] = piece.stock?.at ?? size.at;
    }
  }
  const details = customsOf(pieces);
  for (const [name, { at }] of details) places[`details.${name}`] = at;
  if (images.length > MOST_PICTURES) leave(pictures.at, `only the first ${MOST_PICTURES} pictures are taken`);
  const document = {
    id,
    title: title.text || undefined,
    color: color.text || undefined,
    description: description.text || undefined,
    price: price && dollarText(price),
    kinds: kinds.length > 0 ? kinds : undefined,
    images: images.length > 0 ? images.slice(0, MOST_PICTURES) : undefined,
    hidden: hidden || undefined,
    details: details.length > 0 ? Object.fromEntries(details.map(([name, { text }]) => [name, text])) : undefined,
    sizes,
  };
  done.rows.push({ row: model.id.at.row, document, otherId, places, uncounted });
}

/** The filled cells for customs, each of the first size that has it. A weight of 0 is none. */
function customsOf(pieces: Piece[]): [name: string, cell: Cell][] {
  return CUSTOMS_DETAILS.flatMap((name): [string, Cell][] => {
    const cell = pieces.flatMap(({ customs }) => customs?.[name] ?? []).find(({ text }) => !/^[0.,]*$/.test(text));
    return cell ? [[name, cell]] : [];
  });
}

function stockOf({ stock }: Piece, leave: Leave): { pieces: unknown; isCounted: boolean } {
  if (!stock) return { pieces: 0, isCounted: false };
  const { text, at } = stock;
  if (text === "") leave(at, "the pieces aren’t counted: a new size begins with 0");
  const isOwed = /^-\d+$/.test(text);
  if (isOwed) leave(at, `${text} pieces are owed: the stock is 0`);
  return { pieces: text === "" || isOwed ? 0 : (readWhole(text) ?? text), isCounted: text !== "" };
}

function sizeOf(text: string): string | undefined {
  return text === "" ? ONE_SIZE : SIZE_WORDS.get(fold(text).replaceAll(" ", ""));
}

function inColor(id: string, color: string, at: number): string {
  const end = color === "" ? "" : `-${hyphened(color, 40) || at + 1}`;
  return id.slice(0, LONGEST_ID - end.length) + end;
}

function kindsOf(cells: Cell[], all: readonly Kind[], leave: Leave): ProductKind[] {
  const ids = new Map(all.flatMap(({ id, name }) => [id, name].map((word) => [kindKey(word), id])));
  const kinds = cells.flatMap(({ text, at }) => {
    const words = text.split(",").flatMap((word) => word.trim() || []);
    const known = (word: string) => ids.get(kindKey(word.split(">").at(-1) ?? ""));
    const others = words.filter((word) => !known(word));
    if (others.length > 0)
      leave(at, `no kind here: ${others.join(", ")} (kinds are ${all.map(({ id }) => id).join(", ")})`);
    return words.flatMap((word) => known(word) ?? []);
  });
  return kindsIn(all, kinds).map(({ id }) => id);
}
