import { readTable } from "#app/infra/document/table.ts";
import { readOrderNumber } from "#app/orders/number.ts";
import { readParcelLabel } from "./label.ts";

/** A line of a sheet: an order's number, its carrier and its tracking number, or what is wrong with the line. */
export type ParcelLine = { line: number; text: string } & (
  | { number: string; carrier?: string; tracking?: string }
  | { problem: string }
);

export const MOST_PARCELS = 200;

/**
 * Reads lines pasted from a sheet: an order's number, a carrier and a tracking number, in columns of any order, with or
 * without a header. A text with a digit is the tracking number. If two have one, the first is the carrier.
 */
export function readParcels(text: string): ParcelLine[] {
  const seen = new Map<string, number>();
  return readTable(text, ["\t", ";", ",", "|"]).rows.flatMap(({ row, cells }, index): ParcelLine[] => {
    const filled = cells.map((cell) => cell.trim()).filter(Boolean);
    const where = { line: row, text: filled.join("  ") };
    if (index === 0 && isHead(filled)) return [];
    const read = readLine(filled);
    if ("problem" in read) return [{ ...where, ...read }];
    const earlier = seen.get(read.number);
    if (earlier) return [{ ...where, problem: `${read.number} stands in line ${earlier} already` }];
    seen.set(read.number, row);
    return [{ ...where, ...read }];
  });
}

function isHead(cells: string[]): boolean {
  return cells.every((cell) => !/\d/.test(cell)) && cells.some((cell) => /order|track|carrier|number/i.test(cell));
}

function readLine(cells: string[]): { number: string; carrier?: string; tracking?: string } | { problem: string } {
  const at = cells.findIndex((cell) => readOrderNumber(cell));
  const number = readOrderNumber(cells[at] ?? "");
  if (!number) return { problem: "No order number, like IR-7K3M-2Q" };
  const rest = cells.toSpliced(at, 1);
  if (rest.length > 2) return { problem: "Too many columns. Give the order, the carrier and the tracking number" };
  const labels = rest.map(readParcelLabel);
  const wrong = labels.find((label) => "problem" in label);
  if (wrong) return wrong;
  const [first, second] = labels.map((read) => ("label" in read ? read.label : undefined));
  if (first === undefined) return { number };
  if (second === undefined) return { number, ...(hasDigit(first) ? { tracking: first } : { carrier: first }) };
  const isTurned = hasDigit(first) && !hasDigit(second);
  return isTurned ? { number, carrier: second, tracking: first } : { number, carrier: first, tracking: second };
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}
