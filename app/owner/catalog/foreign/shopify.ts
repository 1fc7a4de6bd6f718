import { namesOfKinds } from "#app/catalog/product.ts";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import type { Kind } from "#db/types.ts";
import type { Place } from "../table-row.ts";
import { htmlOfText, textOfHtml } from "./html.ts";
import { type Cell, eachCustoms, idFrom, type Model, NO_PARCEL, optionOf, otherOption, type Piece } from "./model.ts";
import type { Line, Sheet } from "./sheet.ts";
import { type OurProduct, type Reading, type SoldSize, sizesOf } from "./shop.ts";

/** The columns that are read: by the names of Shopify's exports, and by those of its template since 2024. */
export const SHOPIFY_COLUMNS = {
  handle: ["handle", "url handle"],
  title: ["title"],
  description: ["body (html)", "body html", "description"],
  type: ["type"],
  tags: ["tags"],
  published: ["published", "published on online store"],
  status: ["status"],
  gift: ["gift card"],
  name1: ["option1 name"],
  value1: ["option1 value"],
  name2: ["option2 name"],
  value2: ["option2 value"],
  name3: ["option3 name"],
  value3: ["option3 value"],
  tracker: ["variant inventory tracker", "inventory tracker"],
  shipping: ["variant requires shipping", "requires shipping"],
  weightGrams: ["variant grams", "weight value (grams)"],
  hsCode: ["hs code", "variant hs code"],
  originCountry: ["coo", "country of origin", "variant country of origin"],
  stock: ["variant inventory qty", "inventory quantity"],
  price: ["variant price", "price"],
  before: ["variant compare at price", "compare-at price"],
  picture: ["image src", "product image url"],
  position: ["image position"],
  ownPicture: ["variant image", "variant image url"],
} as const;
type Field = keyof typeof SHOPIFY_COLUMNS;
type ProductLine = Line<Field>;

const OPTIONS = [
  { name: "name1", value: "value1" },
  { name: "name2", value: "value2" },
  { name: "name3", value: "value3" },
] as const;

/** Whether these are the columns of Shopify's product file. Tools that add an `id` write files of their own. */
export function isShopify(keys: string[]): boolean {
  const { handle } = SHOPIFY_COLUMNS;
  return handle.some((name) => keys.includes(name)) && keys.includes("title") && !keys.includes("id");
}

/** The products of Shopify's file: the rows of a handle are one, with its sizes, colours and pictures. */
export function readShopify(sheet: Sheet<Field>): Reading {
  const reading: Reading = { models: [], problems: [], leftOut: [] };
  if (!sheet.has("stock"))
    reading.leftOut.push({ ...sheet.head, reason: "no column has the stock: new sizes begin with 0" });
  for (const [handle, lines] of Map.groupBy(sheet.lines, (line) => line.get("handle"))) {
    const [first] = lines;
    if (!first) continue;
    if (handle === "") {
      for (const line of lines) reading.problems.push({ ...line.at("handle"), reason: "the handle is missing" });
      continue;
    }
    const id = idFrom(handle);
    const leave = (at: Place, reason: string) => reading.leftOut.push({ ...at, id, reason });
    if (lines.some((line) => line.get("gift").toLowerCase() === "true"))
      leave(first.at("gift"), "the whole product is left out: it is a gift card");
    else reading.models.push(modelOf({ text: id, at: first.at("handle") }, lines, sheet, leave));
  }
  return reading;
}

type Leave = (at: Place, reason: string) => void;

function modelOf(id: Cell, lines: ProductLine[], sheet: Sheet<Field>, leave: Leave): Model {
  const cell = (field: Field): Cell => {
    const line = lines.find((one) => one.get(field) !== "") ?? lines[0];
    return line ? { text: line.get(field), at: line.at(field) } : { text: "", at: id.at };
  };
  const description = cell("description");
  const filled = lines.filter((line) =>
    (["value1", "price", "stock"] as const).some((field) => line.get(field) !== ""),
  );
  const sold = (filled.length > 0 ? filled : lines.slice(0, 1)).filter((line) => {
    const isParcel = line.get("shipping").toLowerCase() !== "false";
    if (!isParcel) leave(line.at("shipping"), NO_PARCEL);
    return isParcel;
  });
  const options = OPTIONS.map(({ name, value }) => ({ name: cell(name).text, value }));
  return {
    id,
    title: cell("title"),
    description: { ...description, text: textOfHtml(description.text) },
    kinds: [cell("type"), cell("tags")],
    hidden:
      !["", "active"].includes(cell("status").text.toLowerCase()) || cell("published").text.toLowerCase() === "false",
    pictures: {
      sources: lines
        .filter((line) => line.get("picture") !== "")
        .sort((a, b) => (Number(a.get("position")) || 0) - (Number(b.get("position")) || 0))
        .map((line) => line.get("picture")),
      at: cell("picture").at,
    },
    pieces: sold.map((line) => pieceOf(line, options, sheet, leave)),
  };
}

type Options = { name: string; value: (typeof OPTIONS)[number]["value"] }[];

function pieceOf(line: ProductLine, options: Options, sheet: Sheet<Field>, leave: Leave): Piece {
  const none: Cell = { text: "", at: line.at("value1") };
  const found: { size: Cell; color: Cell } = { size: none, color: none };
  for (const { name, value } of options) {
    const cell: Cell = { text: line.get(value), at: line.at(value) };
    const option = optionOf(name);
    if (cell.text === "" || (name.toLowerCase() === "title" && cell.text.toLowerCase() === "default title")) continue;
    if (option === "other" || found[option] !== none)
      leave(cell.at, otherOption(name || "an option without a name", [cell.text]));
    else found[option] = cell;
  }
  const [price, before] = [line.get("price"), line.get("before")];
  if (before !== "" && before !== price)
    leave(line.at("before"), `the price before the sale, ${before}, isn’t taken: the product costs ${price}`);
  return {
    ...found,
    price: { text: price, at: line.at("price") },
    stock: sheet.has("stock") ? { text: stockOf(line, sheet), at: line.at("stock") } : undefined,
    pictures: line.get("ownPicture") === "" ? [] : [line.get("ownPicture")],
    customs: eachCustoms((field) => ({ text: line.get(field), at: line.at(field) })),
  };
}

/** The pieces, or nothing if they aren't counted: Shopify then writes a 0 that says nothing, and names no tracker. */
function stockOf(line: ProductLine, sheet: Sheet<Field>): string {
  const isTracked = !sheet.has("tracker") || line.get("tracker") !== "";
  const stock = line.get("stock");
  return stock === "0" && !isTracked ? "" : stock;
}

/** A product in Shopify's columns: a row for each size, with the pictures beside them and below. */
export function shopifyRows(product: OurProduct, allKinds: readonly Kind[]): Record<string, string | number>[] {
  const { id, title, color, description, images, kinds, hidden, details } = product;
  const sizes = sizesOf(product);
  const rows = Math.max(sizes.length, images.length);
  const isSized = sizes.some(({ size }) => size !== ONE_SIZE);
  return Array.from({ length: rows }, (_, at) => {
    const [sold, image, isFirst] = [sizes[at], images[at], at === 0];
    const names = [...(color ? ["Color"] : []), ...(isSized ? ["Size"] : [])];
    return {
      Handle: id,
      Title: isFirst ? title : "",
      "Body (HTML)": isFirst ? htmlOfText(description) : "",
      Vendor: "",
      Type: isFirst ? (namesOfKinds(allKinds, kinds)[0] ?? "") : "",
      Tags: isFirst ? kinds.join(", ") : "",
      Published: isFirst ? (hidden ? "FALSE" : "TRUE") : "",
      "Option1 Name": isFirst ? (names[0] ?? "Title") : "",
      "Option1 Value": sold ? color || (isSized ? sold.size : "Default Title") : "",
      "Option2 Name": isFirst ? (names[1] ?? "") : "",
      "Option2 Value": sold && names.length > 1 ? sold.size : "",
      ...variantCells(sold, details?.weightGrams),
      "Image Src": image ?? "",
      "Image Position": image ? at + 1 : "",
      "Image Alt Text": image ? title : "",
      "Gift Card": isFirst ? "FALSE" : "",
      Status: isFirst ? (hidden ? "draft" : "active") : "",
    };
  });
}

function variantCells(sold: SoldSize | undefined, grams: number | undefined): Record<string, string | number> {
  const { sku, pieces, price } = sold ?? {};
  return {
    "Variant SKU": sku ?? "",
    "Variant Grams": (sold && grams) ?? "",
    "Variant Inventory Tracker": sold ? "shopify" : "",
    "Variant Inventory Qty": pieces ?? "",
    "Variant Inventory Policy": sold ? "deny" : "",
    "Variant Fulfillment Service": sold ? "manual" : "",
    "Variant Price": price ?? "",
    "Variant Requires Shipping": sold ? "TRUE" : "",
    "Variant Taxable": sold ? "TRUE" : "",
  };
}
