import { FORMS } from "#app/catalog/documents/fields.ts";
import { PRODUCT_FIELDS, type productDocuments } from "#app/catalog/documents/product.server.ts";
import { kindIds } from "#app/catalog/kind-field.server.ts";
import { DETAIL_NAMES, DETAILS, type Detail, eachDetail, eachFlag, FLAGS } from "#app/catalog/product-fields.ts";
import { ONE_SIZE, SIZES } from "#app/catalog/sizes.ts";
import { csvText } from "#app/infra/document/csv.ts";
import { columnName, readTable } from "#app/infra/document/table.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { readWhole } from "#app/money/typed-number.ts";
import type { FileCurrency } from "./foreign/currency.ts";
import { recognise } from "./foreign/foreign.ts";
import type { Place, TableProblem, TableRow } from "./table-row.ts";

const ALL_SIZES: string[] = [...SIZES, ONE_SIZE];
const IN_COLUMNS = ["sizes", "quantity", "details", "normalPrice"];
/**
 * The columns of a table. Each size and each detail has a column of its own, in place of the documents' `sizes`,
 * `quantity` and `details`. `price` is the normal price, whether or not the product is on sale.
 */
export const COLUMNS = [...PRODUCT_FIELDS.filter((name) => !IN_COLUMNS.includes(name)), ...DETAIL_NAMES, ...ALL_SIZES];

/**
 * The help text of each column. Columns that are not marked as needed may be missing, which leaves those values of a
 * product unchanged.
 */
export const columnWords = (): Record<string, string> => ({
  id: "needed: letters, digits, - and _; a known one is changed, another one is new",
  title: "needed for new products",
  price: "needed for new products: in dollars, like 49.99",
  color: "its name, like Palm Green; an empty cell removes it",
  description: "shown first on the product’s page; an empty cell removes it",
  kinds: `of ${kindIds().join(", ")}; separate several with |; an empty cell removes them`,
  ...eachFlag((name) => `yes or no: ${FLAGS[name].help}; an empty cell changes nothing`),
  images: "addresses that begin with https://, separated by |; the first one is the cover; an empty cell removes them",
  hidden: "yes or no: not shown and not sold; an empty cell changes nothing",
  exportedAt: "written by the export: when its stock was so",
  ...eachDetail((name) => `${whatOf(DETAILS[name])}; an empty cell removes it`),
  ...Object.fromEntries(SIZES.map((size) => [size, "pieces of this size in stock; an empty cell changes nothing"])),
  [ONE_SIZE]: "pieces in stock, of a product without sizes",
});

function whatOf({ label, isNumber, form, isForCustoms }: Detail): string {
  const what = form ? FORMS[form].wants : isNumber ? "a whole number" : "a sentence or two";
  return isForCustoms ? `${label.toLowerCase()}, for customs: ${what}` : what;
}

/**
 * `foreign`: the shop whose file it is, and the parts of it that this shop has no place for. Without a currency such a
 * file `asks` for one, and has no rows yet.
 */
export type ProductTable = {
  header: string[];
  rows: TableRow[];
  problems: TableProblem[];
  ignored: string[];
  foreign?: { shop: string; leftOut: TableProblem[]; asks: boolean };
};

/**
 * Reads a table of products, of this shop or of another one, whose prices are in `currency`. Rows that cannot be read
 * are among the problems.
 */
export function readProductTable(text: string, currency?: FileCurrency): ProductTable {
  const { rows: given, faults } = readTable(text);
  const [head = { row: 1, cells: [] }, ...below] = given;
  const other = recognise(head.cells);
  if (other) {
    const { shop } = other;
    const empty: ProductTable = { header: [], rows: [], problems: [], ignored: [] };
    if (!currency) return { ...empty, foreign: { shop, leftOut: [], asks: true } };
    const foreign = { shop, leftOut: [], asks: false };
    if (faults.length > 0)
      return { ...empty, problems: faults.map(({ row, what }) => ({ row, reason: what })), foreign };
    const { rows, problems, leftOut, unread: ignored } = other.read(given, currency, knownKinds());
    return { header: [], rows, problems, ignored, foreign: { ...foreign, leftOut } };
  }
  const header = head.cells.map(knownName);
  const isFilled = (col: number) => below.some(({ cells }) => cells[col]?.trim());
  const ignored = header.flatMap((name, col) => {
    if (name === "") return isFilled(col) ? [`column ${columnName(col)}, which has no name`] : [];
    return COLUMNS.includes(name) ? [] : [name];
  });
  const problems: TableProblem[] = faults.map(({ row, what }) => ({ row, reason: what }));
  const twice = header.find((name, at) => COLUMNS.includes(name) && header.indexOf(name) < at);
  if (given.length === 0) problems.push({ row: 1, reason: "there are no rows" });
  else if (!header.includes("id"))
    problems.push({ row: head.row, reason: "the first row has the column names, and id is missing" });
  else if (twice) problems.push({ row: head.row, column: twice, reason: `two columns are named ${twice}` });
  if (problems.length > 0) return { header, rows: [], problems, ignored };
  const rows = below.flatMap(({ row, cells }): TableRow[] => {
    if (cells.slice(header.length).every((cell) => cell.trim() === ""))
      return [{ row, document: fromCells(Object.fromEntries(header.map((name, col) => [name, cells[col] ?? ""]))) }];
    const reason = `has ${cells.length} cells, and there are ${header.length} columns`;
    problems.push({ row, id: cells[header.indexOf("id")], reason });
    return [];
  });
  return { header, rows, problems, ignored };
}

/** The column's canonical name, whatever its case and spaces. An unknown name is returned as it is. */
function knownName(cell: string): string {
  const given = cell.trim();
  return COLUMNS.find((name) => name.toLowerCase() === given.toLowerCase().replaceAll(" ", "")) ?? given;
}

/** The place of a document's field. */
export function placeOf(field: string, header: string[], { row, places }: Pick<TableRow, "row" | "places">): Place {
  const [first = "", second] = field.split(".");
  if (places) return places[field] ?? places[first] ?? { row };
  const column = IN_COLUMNS.includes(first) ? second : first;
  const at = header.indexOf(column ?? "");
  return at < 0 ? { row, column: column || undefined } : { row, column, cell: `${columnName(at)}${row}` };
}

/**
 * Converts a row to a document. Each size and detail has its own column; kinds and pictures are separated by |. Missing
 * columns, sizes without a number, and empty titles, prices, times and flags are left out of the document.
 */
function fromCells(row: Record<string, string>): Record<string, unknown> {
  const { images, kinds, hidden, title, price, exportedAt, ...rest }: Record<string, string | undefined> = row;
  const sizes = Object.fromEntries(
    ALL_SIZES.flatMap((size) => {
      const cell = rest[size]?.trim();
      return cell ? [[size, readWhole(cell) ?? cell]] : [];
    }),
  );
  return {
    ...rest,
    id: rest.id?.trim(),
    title: title?.trim() || undefined,
    price: price?.trim() || undefined,
    exportedAt: exportedAt?.trim() || undefined,
    hidden: yesOrNo(hidden),
    ...eachFlag((name) => yesOrNo(rest[name])),
    details: Object.fromEntries(DETAIL_NAMES.filter((name) => name in rest).map((name) => [name, rest[name]])),
    sizes,
    quantity: undefined,
    kinds: list(kinds?.toLowerCase()),
    images: list(images),
  };
}

function list(cell: string | undefined): string[] | undefined {
  return cell
    ?.split("|")
    .map((one) => one.trim())
    .filter(Boolean);
}

/** Texts other than yes and no are kept, and refused when the document is read. */
function yesOrNo(cell = ""): unknown {
  return YES_OR_NO.get(cell.trim().toLowerCase()) ?? (cell.trim() || undefined);
}

const YES_OR_NO = new Map(Object.entries({ false: false, no: false, true: true, yes: true }));

/** Products as a table that can be imported again. */
export function productTable(documents: Awaited<ReturnType<typeof productDocuments>>): string {
  const rows = documents.map(
    ({ sizes, kinds, details, images, quantity: _, hidden = "", exportedAt, normalPrice, ...rest }) => ({
      ...rest,
      price: normalPrice ?? rest.price,
      kinds: kinds.join(" | "),
      ...eachDetail((name) => details[name] ?? ""),
      ...Object.fromEntries(ALL_SIZES.map((size) => [size, sizes[size] ?? ""])),
      images: images.join(" | "),
      hidden,
      exportedAt,
    }),
  );
  return `${csvText(rows)}\n`;
}

/** A table with one example row, to be overwritten. */
export function tableTemplate(): string {
  const example: Record<string, string> = {
    id: "lagos-home-jersey",
    title: "Lagos Home Jersey",
    color: "Palm Green",
    description: "A home jersey in soft cotton.",
    price: "49.99",
    kinds: kindIds()[0] ?? "",
    ...eachFlag(() => "no"),
    hidden: "yes",
    fabric: "100% cotton",
    M: "10",
    L: "10",
  };
  const columns = COLUMNS.filter((name) => name !== "exportedAt");
  return `${csvText({ fields: columns, data: [columns.map((name) => example[name] ?? "")] })}\n`;
}
