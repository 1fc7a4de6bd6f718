import { namesOfKinds } from "#app/catalog/product.ts";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import type { Kind } from "#db/types.ts";
import type { Place } from "../table-row.ts";
import { htmlOfText, textOfHtml } from "./html.ts";
import { type Cell, few, idFrom, type Model, NO_PARCEL, optionOf, otherOption, type Piece } from "./model.ts";
import type { Line, Sheet } from "./sheet.ts";
import { type OurProduct, type Reading, sizesOf } from "./shop.ts";

const COLUMNS = {
  number: ["id"],
  type: ["type"],
  sku: ["sku"],
  name: ["name"],
  published: ["published"],
  visibility: ["visibility in catalog", "visibility in catalogue"],
  short: ["short description"],
  description: ["description"],
  saleStarts: ["date sale price starts"],
  saleEnds: ["date sale price ends"],
  inStock: ["in stock?"],
  stock: ["stock"],
  sale: ["sale price"],
  regular: ["regular price"],
  categories: ["categories"],
  tags: ["tags"],
  images: ["images"],
  parent: ["parent"],
} as const;
type Field = keyof typeof COLUMNS | `name${number}` | `values${number}`;
type ProductLine = Line<Field>;

/** The columns that are read, with those of the attributes that a file has. */
export function wooColumns(keys: string[]): Record<Field, readonly string[]> {
  const attributes = numbersIn(keys).flatMap((number): [string, string[]][] => [
    [`name${number}`, [`attribute ${number} name`]],
    [`values${number}`, [`attribute ${number} value(s)`]],
  ]);
  return { ...COLUMNS, ...Object.fromEntries(attributes) };
}

function numbersIn(keys: string[]): number[] {
  return [...new Set(keys.flatMap((key) => Number(/^attribute (\d{1,2}) name$/.exec(key)?.[1]) || []))];
}

export function isWooCommerce(keys: string[]): boolean {
  return ["type", "name", "regular price"].every((name) => keys.includes(name));
}

/** The products of WooCommerce's file: a variable product with its variations is one. */
export function readWooCommerce(sheet: Sheet<Field>, keys: string[]): Reading {
  const reading: Reading = { models: [], problems: [], leftOut: [] };
  const numbers = numbersIn(keys);
  const typesOf = (line: ProductLine) => partsOf(line.get("type").toLowerCase());
  const isVariation = (line: ProductLine) => typesOf(line).includes("variation");
  const variations = sheet.lines.filter(isVariation);
  const products = sheet.lines.filter((line) => !isVariation(line));
  const parents = new Map(
    products.flatMap((line) => [
      [line.get("sku"), line],
      [`id:${line.get("number")}`, line],
    ]),
  );
  const parentOf = (line: ProductLine) => {
    const name = line.get("parent").replace(/^id:\s*/i, "id:");
    return name === "" ? undefined : parents.get(name);
  };
  const children = Map.groupBy(variations, parentOf);
  for (const line of children.get(undefined) ?? [])
    reading.problems.push({ ...line.at("parent"), id: line.get("sku"), reason: "the parent isn’t in this file" });
  for (const line of products) {
    const id = idOf(line);
    const leave = (at: Place, reason: string) => reading.leftOut.push({ ...at, id: id.text, reason });
    const types = typesOf(line);
    const own = children.get(line) ?? [];
    const isVariable = types.includes("variable");
    if (!isVariable && !types.includes("simple")) {
      leave(
        line.at("type"),
        `the whole product is left out: products of the type ${line.get("type")} aren’t sold here`,
      );
      continue;
    }
    if (!isVariable) for (const one of own) leave(one.at("parent"), "the variation is left out: its parent has none");
    const sold = (isVariable ? own : [line]).filter((one) => {
      const isParcel = !typesOf(one).some((type) => type === "virtual" || type === "downloadable");
      if (!isParcel) leave(one.at("type"), NO_PARCEL);
      const isOn = one === line || one.get("published") !== "0";
      if (!isOn) leave(one.at("published"), "the variation is left out: it is switched off");
      return isParcel && isOn;
    });
    reading.models.push(modelOf(id, line, sold, numbers, leave));
  }
  return reading;
}

function idOf(line: ProductLine): Cell {
  const sku = idFrom(line.get("sku"));
  return sku ? { text: sku, at: line.at("sku") } : { text: idFrom(line.get("name")), at: line.at("name") };
}

type Leave = (at: Place, reason: string) => void;
type Attribute = { name: string; option: ReturnType<typeof optionOf>; values: string[]; at: Place };

function modelOf(id: Cell, line: ProductLine, sold: ProductLine[], numbers: number[], leave: Leave): Model {
  const cell = (field: Field): Cell => ({ text: line.get(field), at: line.at(field) });
  const attributes = attributesOf(line, numbers);
  for (const { name, option, values, at } of attributes)
    if (option === "other" && values.length > 0) leave(at, otherOption(name, values));
  const texts = [line.get("short"), line.get("description")].map((html) => textOfHtml(html.replace(/\\{1,4}n/g, "\n")));
  return {
    id,
    title: cell("name"),
    description: { text: [...new Set(texts)].filter(Boolean).join("\n\n"), at: line.at("description") },
    kinds: [cell("categories"), cell("tags")],
    hidden: ["0", "-1"].includes(line.get("published")) || line.get("visibility").toLowerCase() === "hidden",
    pictures: { sources: partsOf(line.get("images")), at: line.at("images") },
    pieces: sold.flatMap((one) => pieceOf(one, line, attributes, numbers, leave) ?? []),
  };
}

/** Undefined for a variation of any size or any colour, which is not a single piece. */
function pieceOf(
  line: ProductLine,
  parent: ProductLine,
  attributes: Attribute[],
  numbers: number[],
  leave: Leave,
): Piece | undefined {
  const none: Cell = { text: "", at: line.at("name") };
  const found: { size: Cell; color: Cell } = { size: none, color: none };
  const own = line === parent ? [] : attributesOf(line, numbers);
  for (const { name, option, values, at } of own)
    if (option === "other" && values.length > 0) leave(at, otherOption(name, values));
  for (const option of ["size", "color"] as const) {
    const ofParent = attributes.find((one) => one.option === option);
    const given = own.find((one) => one.option === option) ?? ofParent;
    const isAny = given !== undefined && given !== ofParent && given.values.length === 0;
    const values = isAny ? (ofParent?.values ?? []) : (given?.values ?? []);
    const [value] = values;
    if (isAny && values.length !== 1) {
      leave(given.at, `the variation is left out: it is for any ${few([given.name])}`);
      return;
    }
    if (given && values.length > 1)
      leave(given.at, `${few([given.name])}: ${few(values)} isn’t taken, as only one has stock`);
    else if (given && value !== undefined) found[option] = { text: value, at: given.at };
  }
  return {
    ...found,
    price: priceOf(line, leave),
    stock: stockOf(line),
    pictures: line === parent ? [] : partsOf(line.get("images")),
  };
}

/** The price that shoppers pay there: the sale price, or the regular one if the sale has dates. */
function priceOf(line: ProductLine, leave: Leave): Cell {
  const [sale, regular] = [line.get("sale"), line.get("regular")];
  const isDated = line.get("saleStarts") !== "" || line.get("saleEnds") !== "";
  if (sale === "" || sale === regular) return { text: regular, at: line.at("regular") };
  if (isDated) {
    leave(line.at("sale"), `the sale price for some days, ${sale}, isn’t taken: the product costs ${regular}`);
    return { text: regular, at: line.at("regular") };
  }
  if (regular !== "")
    leave(line.at("regular"), `the price before the sale, ${regular}, isn’t taken: the product costs ${sale}`);
  return { text: sale, at: line.at("sale") };
}

/** Variations that share the stock of their parent have the word parent, or nothing. */
function stockOf(line: ProductLine): Cell {
  const stock = line.get("stock");
  const isCounted = stock !== "" && stock.toLowerCase() !== "parent";
  return { text: isCounted ? stock : line.get("inStock") === "0" ? "0" : "", at: line.at("stock") };
}

function attributesOf(line: ProductLine, numbers: number[]): Attribute[] {
  return numbers.flatMap((number) => {
    const name = line.get(`name${number}`);
    const values = partsOf(line.get(`values${number}`));
    return name === "" ? [] : [{ name, option: optionOf(name), values, at: line.at(`values${number}`) }];
  });
}

/** The parts of a list. A comma within a part has a backslash in front. */
function partsOf(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((one) => one.replaceAll("\\,", ",").trim())
    .filter(Boolean);
}

/** A product in WooCommerce's columns: with sizes, a variable product and a variation for each. */
export function wooRows(product: OurProduct, allKinds: readonly Kind[]): Record<string, string | number>[] {
  const { id, title, color, description, images, kinds, hidden } = product;
  const sizes = sizesOf(product);
  const isVariable = sizes.some(({ size }) => size !== ONE_SIZE);
  const names = sizes.map(({ size }) => size).join(", ");
  const [only] = sizes;
  const row = (cells: Record<string, string | number>) => ({
    ...Object.fromEntries(WRITTEN.map((name) => [name, ""])),
    ...cells,
  });
  return [
    row({
      Type: isVariable ? "variable" : "simple",
      SKU: id,
      Name: title,
      Published: hidden ? -1 : 1,
      "Visibility in catalog": "visible",
      Description: htmlOfText(description),
      "Tax status": "taxable",
      ...(!isVariable && only && { ...stockCells(only.pieces), "Regular price": only.price }),
      Categories: namesOfKinds(allKinds, kinds).join(", "),
      Images: images.join(", "),
      ...(color && attributeCells(1, "Color", color.replaceAll(",", "\\,"))),
      ...(isVariable && attributeCells(2, "Size", names)),
    }),
    ...(isVariable ? sizes : []).map(({ size, sku, pieces, price }) =>
      row({
        Type: "variation",
        SKU: sku,
        Name: `${title} - ${size}`,
        Published: 1,
        "Visibility in catalog": "visible",
        "Tax status": "taxable",
        ...stockCells(pieces),
        "Regular price": price,
        Parent: id,
        ...attributeCells(2, "Size", size),
      }),
    ),
  ];
}

const stockCells = (pieces: number) => ({ "In stock?": pieces > 0 ? 1 : 0, Stock: pieces });

const attributeCells = (number: 1 | 2, name: string, values: string) => ({
  [`Attribute ${number} name`]: name,
  [`Attribute ${number} value(s)`]: values,
  [`Attribute ${number} visible`]: 1,
  [`Attribute ${number} global`]: 1,
});

const WRITTEN = [
  "Type",
  "SKU",
  "Name",
  "Published",
  "Visibility in catalog",
  "Description",
  "Tax status",
  "In stock?",
  "Stock",
  "Regular price",
  "Categories",
  "Images",
  "Parent",
  ...[1, 2].flatMap((number) => Object.keys(attributeCells(number === 1 ? 1 : 2, "", ""))),
];
