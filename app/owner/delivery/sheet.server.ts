import { z } from "zod";
import { csvText } from "#app/infra/document/csv.ts";
import { readTable } from "#app/infra/document/table.ts";
import { centsFromDollars, dollarText, MOST_CENTS, usdCents } from "#app/money/money.ts";
import { countryCodeOf, readShippingDocument, type ShippingTables } from "#app/shipping/document.server.ts";
import { PICKUP_DETAILS } from "#app/shipping/shipping.ts";
import { type DeliveryPlace, placeKey, type RateKind } from "./rates.ts";

/** An error in a file, with its row (counted from 1) and column. Without them it concerns the whole file. */
export type SheetFault = { row?: number; column?: string; what: string };
/** `notes`: harmless things that were left out. */
export type Sheet = { places: DeliveryPlace[]; faults: SheetFault[]; notes: string[] };

const COLUMNS = ["kind", "name", "dollars", ...PICKUP_DETAILS] as const;
type Column = (typeof COLUMNS)[number];
const KINDS = new Map<string, RateKind>([
  ["state", "state"],
  ["pickup", "pickup"],
  ["pick-up", "pickup"],
  ["country", "country"],
]);

/** Reads delivery rates from CSV with a header row, or from JSON in the format of the document Shopping/Shipping. */
export function readRatesSheet(text: string): Sheet {
  const plain = text.replace(/^\uFEFF/, "").trimStart();
  return plain.startsWith("{") ? readDocument(plain) : readCsv(text.replace(/^\uFEFF/, ""));
}

function readDocument(text: string): Sheet {
  try {
    return { places: readShippingDocument(JSON.parse(text)).map(placeOf), faults: [], notes: [] };
  } catch (error) {
    if (error instanceof SyntaxError) return nothing([{ what: `This isn’t valid JSON: ${error.message}` }]);
    if (!(error instanceof z.ZodError)) throw error;
    return nothing(error.issues.map(({ path, message }) => ({ column: path.join("."), what: message })));
  }
}

const nothing = (faults: SheetFault[]): Sheet => ({ places: [], faults, notes: [] });

function placeOf({ details, ...place }: ShippingTables[number]): DeliveryPlace {
  return { ...place, details: JSON.parse(details) };
}

function readCsv(text: string): Sheet {
  const { rows, faults: unclosed } = readTable(text);
  if (unclosed.length > 0) return nothing(unclosed);
  const [head = { row: 1, cells: [] }, ...below] = rows;
  const heads = head.cells.map((name) => name.trim().toLowerCase());
  const missing = (["kind", "name", "dollars"] as const).filter((column) => !heads.includes(column));
  const what = `it’s missing. The first row needs ${COLUMNS.join(", ")}`;
  if (missing.length > 0) return nothing(missing.map((column) => ({ row: head.row, column, what })));
  const strange = heads.filter((name) => name !== "" && !COLUMNS.some((column) => column === name));
  const notes = strange.length > 0 ? [`These columns are unknown and were left out: ${strange.join(", ")}`] : [];
  const faults: SheetFault[] = [];
  const places = new Map<string, DeliveryPlace>();
  const firsts = new Map<string, number>();
  for (const { row, cells } of below) {
    const fault = (column: Column, what: string) => faults.push({ row, column, what });
    const cell = (column: Column) => cells[heads.indexOf(column)]?.trim() ?? "";
    const place = readPlace(cell, fault);
    if (!place) continue;
    const first = firsts.get(placeKey(place));
    if (first) fault("name", `${place.name} stands in row ${first} already`);
    firsts.set(placeKey(place), first ?? row);
    if (!first && place.rateCents !== undefined) places.set(placeKey(place), { ...place, rateCents: place.rateCents });
  }
  return { places: [...places.values()], faults, notes };
}

/** Reads the place in a row, without its rate if that is invalid. Calls `fault` for each error in the row. */
function readPlace(cell: (column: Column) => string, fault: (column: Column, what: string) => void) {
  const kind = KINDS.get(cell("kind").toLowerCase());
  const cents = centsFromDollars(cell("dollars"));
  const rateCents = cents !== undefined && cents <= MOST_CENTS ? cents : undefined;
  const name = kind === "country" ? countryCodeOf(cell("name")) : cell("name");
  if (!kind) fault("kind", `'${cell("kind")}' isn’t one of state, pickup or country`);
  if (rateCents === undefined) fault("dollars", `'${cell("dollars")}' isn’t a rate in dollars, like 12.50`);
  if (cell("name") === "") fault("name", "it’s missing");
  else if (kind && !name)
    fault("name", `'${cell("name")}' isn’t a country. Use its English name, like Ghana, or its code, like GH`);
  if (!kind || !name) return;
  const given = kind === "pickup" ? PICKUP_DETAILS.filter((detail) => cell(detail) !== "") : [];
  return { kind, name, rateCents, details: Object.fromEntries(given.map((detail) => [detail, cell(detail)])) };
}

/** The places as CSV that can be read again. */
export function ratesCsv(places: DeliveryPlace[]): string {
  const rows = places.map(({ kind, name, rateCents, details }) => ({
    kind,
    name,
    dollars: dollarText(usdCents(rateCents)),
    ...Object.fromEntries(PICKUP_DETAILS.map((detail) => [detail, details[detail] ?? ""])),
  }));
  return csvText({ fields: [...COLUMNS], data: rows });
}
