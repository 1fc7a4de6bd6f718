import Papa from "papaparse";
import { PRODUCT_FIELDS, type productDocuments } from "#app/catalog/documents/product.server.ts";
import { DETAILS, KIND_NAMES } from "#app/catalog/product.ts";
import { ONE_SIZE, SIZES } from "#app/catalog/sizes.ts";
import { csvText, plainCell } from "#app/infra/document/csv.ts";

const ALL_SIZES: string[] = [...SIZES, ONE_SIZE];
const IN_COLUMNS = ["sizes", "quantity", "details"];
/** In a table, a column for each size stands for what documents call sizes and quantity, and one for each detail. */
export const COLUMNS = [...PRODUCT_FIELDS.filter((name) => !IN_COLUMNS.includes(name)), ...DETAILS, ...ALL_SIZES];

/** What stands in the columns of a table; those that are not said to be needed may be missing, and leave a product as it is. */
export const COLUMN_WORDS: Record<string, string> = {
  id: "needed: letters, digits, - and _; a known one is changed, another one is new",
  title: "needed where the product is new",
  price: "needed where the product is new: in dollars, like 49.99",
  color: "its name, like Palm Green; an empty cell takes it away",
  description: "what the product’s page says first; an empty cell takes it away",
  kinds: `of ${KIND_NAMES.join(", ")}; several are divided by |; an empty cell takes them away`,
  finalSale: "yes or no: it cannot be sent back; an empty cell says nothing",
  images: "addresses that begin with https://, divided by |; the first one is the cover; an empty cell takes them away",
  hidden: "yes or no: not shown and not sold; an empty cell says nothing",
  exportedAt: "written by the export: when its stock was so",
  ...Object.fromEntries(DETAILS.map((name) => [name, "a sentence or two; an empty cell takes it away"])),
  ...Object.fromEntries(SIZES.map((size) => [size, "pieces of this size in stock; an empty cell says nothing"])),
  [ONE_SIZE]: "pieces in stock, of a product without sizes",
};

/** A row of a table as a document; lines are counted from 1, with those inside cells. */
export type TableRow = { line: number; document: Record<string, unknown> };
/** `column` is its name, and `cell` its place as spreadsheets call it, such as F7. */
export type TableProblem = { line: number; column?: string; cell?: string; id?: string; reason: string };
export type ProductTable = { header: string[]; rows: TableRow[]; problems: TableProblem[]; ignored: string[] };

/** Reads a table of products: separated by commas, semicolons or tabs. What cannot be read as a table is among the problems. */
export function readProductTable(text: string): ProductTable {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), { delimitersToGuess: [",", "\t", ";"] });
  const lines = linesOf(data);
  const headAt = data.findIndex((row) => !isEmpty(row));
  const header = (data[headAt] ?? []).map(knownName);
  const ignored = header.filter((name) => name !== "" && !COLUMNS.includes(name));
  const problems: TableProblem[] = errors
    .filter(({ type }) => type === "Quotes")
    .map(({ row = 0 }) => ({
      line: lines[row] ?? 1,
      reason: "a quotation mark is not closed, or stands inside a cell",
    }));
  const twice = header.find((name, at) => COLUMNS.includes(name) && header.indexOf(name) < at);
  const headLine = lines[headAt] ?? 1;
  if (headAt < 0) problems.push({ line: 1, reason: "there are no rows" });
  else if (!header.includes("id"))
    problems.push({ line: headLine, reason: "the first row names the columns, and id is not among them" });
  else if (twice) problems.push({ line: headLine, column: twice, reason: `two columns are called ${twice}` });
  if (problems.length > 0) return { header, rows: [], problems, ignored };
  const rows = data.flatMap((row, at): TableRow[] => {
    if (at <= headAt || isEmpty(row)) return [];
    const line = lines[at] ?? 0;
    if (row.slice(header.length).some((cell) => cell.trim())) {
      problems.push({
        line,
        id: row[header.indexOf("id")],
        reason: `has ${row.length} cells, and there are ${header.length} columns`,
      });
      return [];
    }
    return [{ line, document: fromCells(Object.fromEntries(header.map((name, col) => [name, row[col] ?? ""]))) }];
  });
  return { header, rows, problems, ignored };
}

/** On which line each row begins: a cell may have several lines. */
function linesOf(rows: string[][]): number[] {
  let line = 1;
  return rows.map((row) => {
    const begins = line;
    line += 1 + row.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    return begins;
  });
}

const isEmpty = (row: string[]) => row.every((cell) => cell.trim() === "");

/** The name of a column as it is known, however it is written. */
function knownName(cell: string): string {
  const given = cell.trim();
  return COLUMNS.find((name) => name.toLowerCase() === given.toLowerCase().replaceAll(" ", "")) ?? given;
}

/** The column in which a field of a document stands, and its place on a line. */
export function placeOf(field: string, header: string[], line: number): Pick<TableProblem, "column" | "cell"> {
  const [first = "", second] = field.split(".");
  const column = IN_COLUMNS.includes(first) ? second : first;
  const at = header.indexOf(column ?? "");
  return at < 0 ? { column: column || undefined } : { column, cell: `${letters(at)}${line}` };
}

/** A, B … Z, AA. */
function letters(at: number): string {
  return `${at >= 26 ? letters(Math.floor(at / 26) - 1) : ""}${String.fromCharCode(65 + (at % 26))}`;
}

/**
 * A row with a column for each size and each detail; kinds and pictures divided by |. What has no column, or no number of a size, is not named; nor
 * is an empty title, price, time, or mark of what is hidden or on final sale.
 */
export function fromCells(row: Record<string, unknown>): Record<string, unknown> {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === "string" ? plainCell(cell) : undefined,
  ]);
  const { images, kinds, hidden, finalSale, title, price, exportedAt, ...rest }: Record<string, string | undefined> =
    Object.fromEntries(cells);
  const sizes = Object.fromEntries(
    ALL_SIZES.filter((size) => rest[size]?.trim()).map((size) => [size, Number(rest[size])]),
  );
  return {
    ...rest,
    id: rest.id?.trim(),
    title: title?.trim() || undefined,
    price: price?.trim() || undefined,
    exportedAt: exportedAt?.trim() || undefined,
    hidden: flag(hidden),
    finalSale: flag(finalSale),
    details: Object.fromEntries(DETAILS.filter((name) => rest[name] !== undefined).map((name) => [name, rest[name]])),
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

/** What is neither yes nor no is refused by whoever reads the document. */
function flag(cell = ""): unknown {
  return FLAGS[cell.trim().toLowerCase()] ?? (cell.trim() || undefined);
}

const FLAGS: Record<string, boolean | undefined> = { false: false, no: false, true: true, yes: true };

/** Products as a table that can be imported again. */
export function productTable(documents: Awaited<ReturnType<typeof productDocuments>>): string {
  const rows = documents.map(({ sizes, kinds, details, images, quantity: _, hidden = "", exportedAt, ...rest }) => ({
    ...rest,
    kinds: kinds.join(" | "),
    ...Object.fromEntries(DETAILS.map((name) => [name, details[name] ?? ""])),
    ...Object.fromEntries(ALL_SIZES.map((size) => [size, sizes[size] ?? ""])),
    images: images.join(" | "),
    hidden,
    exportedAt,
  }));
  return `${csvText(rows)}\n`;
}

/** An empty table with an example, which is to be written over. */
export function tableTemplate(): string {
  const example: Record<string, string> = {
    id: "lagos-home-jersey",
    title: "Lagos Home Jersey",
    color: "Palm Green",
    description: "A home jersey in soft cotton.",
    price: "49.99",
    kinds: "jerseys",
    finalSale: "no",
    hidden: "yes",
    fabric: "100% cotton",
    M: "10",
    L: "10",
  };
  const columns = COLUMNS.filter((name) => name !== "exportedAt");
  return `${csvText({ fields: columns, data: [columns.map((name) => example[name] ?? "")] })}\n`;
}
