import Papa from "papaparse";
import { printable } from "#app/infra/terminal-text.ts";
import { readOrderNumber } from "#app/orders/number.ts";

/** A line of a sheet: which order has left, with whom and under which number; or what is wrong with the line. */
export type ParcelLine = { line: number; text: string } & (
  | { number: string; carrier?: string; tracking?: string }
  | { problem: string }
);

export const MOST_PARCELS = 200;
const LONGEST = 100;

/**
 * Reads what was pasted from a sheet: an order's number, a carrier and its number, in columns of any order, with or without a head. What has a digit is the
 * carrier's number; where both have one, the carrier comes first.
 */
export function readParcels(text: string): ParcelLine[] {
  const { data } = Papa.parse<string[]>(text.trimEnd(), { delimitersToGuess: ["\t", ";", ",", "|"] });
  const seen = new Map<string, number>();
  return data.flatMap((cells, index): ParcelLine[] => {
    const filled = cells.map((cell) => cell.trim()).filter(Boolean);
    const line = index + 1;
    const where = { line, text: filled.join("  ") };
    if (filled.length === 0 || (index === 0 && isHead(filled))) return [];
    const read = readLine(filled);
    if ("problem" in read) return [{ ...where, ...read }];
    const earlier = seen.get(read.number);
    if (earlier) return [{ ...where, problem: `${read.number} stands in line ${earlier} already` }];
    seen.set(read.number, line);
    return [{ ...where, ...read }];
  });
}

function isHead(cells: string[]): boolean {
  return cells.every((cell) => !/\d/.test(cell)) && cells.some((cell) => /order|track|carrier|number/i.test(cell));
}

function readLine(cells: string[]): { number: string; carrier?: string; tracking?: string } | { problem: string } {
  const at = cells.findIndex((cell) => readOrderNumber(cell));
  const number = readOrderNumber(cells[at] ?? "");
  if (!number) return { problem: "No order's number, such as IR-7K3M-2Q" };
  const rest = cells.toSpliced(at, 1);
  if (rest.length > 2) return { problem: "Too many columns: a number of ours, a carrier, its number" };
  if (rest.some((cell) => cell.length > LONGEST || printable(cell) !== cell || cell.includes("\n")))
    return { problem: `A carrier and its number have at most ${LONGEST} letters` };
  const [first, second] = rest;
  if (first === undefined) return { number };
  if (second === undefined) return { number, ...(hasDigit(first) ? { tracking: first } : { carrier: first }) };
  const isTurned = hasDigit(first) && !hasDigit(second);
  return isTurned ? { number, carrier: second, tracking: first } : { number, carrier: first, tracking: second };
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}
