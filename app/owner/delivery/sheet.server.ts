import Papa from "papaparse";
import { z } from "zod";
import { csvText, plainCell } from "#app/infra/document/csv.ts";
import { centsFromDollars, dollarText, MOST_CENTS, usdCents } from "#app/money/money.ts";
import { countryCodeOf, readShippingDocument, type ShippingTables } from "#app/shipping/document.server.ts";
import { PICKUP_DETAILS } from "#app/shipping/shipping.ts";
import { type DeliveryPlace, placeKey, type RateKind } from "./rates.ts";

/** A mistake in a file, by its line (the first is 1) and column; without them it is about the whole. */
export type SheetFault = { line?: number; column?: string; what: string };
/** `notes`: what is no mistake, and left out. */
export type Sheet = { places: DeliveryPlace[]; faults: SheetFault[]; notes: string[] };

const COLUMNS = ["kind", "name", "dollars", ...PICKUP_DETAILS] as const;
type Column = (typeof COLUMNS)[number];
const KINDS: Record<string, RateKind> = { state: "state", pickup: "pickup", "pick-up": "pickup", country: "country" };

/** Reads delivery rates: CSV with a line of the names of its columns, or JSON as the document Shopping/Shipping. */
export function readRatesSheet(text: string): Sheet {
  const plain = text.replace(/^\uFEFF/, "").trimStart();
  return plain.startsWith("{") ? readDocument(plain) : readCsv(text.replace(/^\uFEFF/, ""));
}

function readDocument(text: string): Sheet {
  try {
    return { places: readShippingDocument(JSON.parse(text)).map(placeOf), faults: [], notes: [] };
  } catch (error) {
    if (error instanceof SyntaxError) return nothing([{ what: `This is no JSON: ${error.message}` }]);
    if (!(error instanceof z.ZodError)) throw error;
    return nothing(error.issues.map(({ path, message }) => ({ column: path.join("."), what: message })));
  }
}

const nothing = (faults: SheetFault[]): Sheet => ({ places: [], faults, notes: [] });

function placeOf({ details, ...place }: ShippingTables[number]): DeliveryPlace {
  return { ...place, details: JSON.parse(details) };
}

function readCsv(text: string): Sheet {
  const { data: rows } = Papa.parse<string[]>(text, { delimitersToGuess: [",", ";", "\t"] });
  const heads = (rows[0] ?? []).map((head) => head.trim().toLowerCase());
  const missing = (["kind", "name", "dollars"] as const).filter((column) => !heads.includes(column));
  if (missing.length > 0)
    return nothing(
      missing.map((column) => ({ line: 1, column, what: `it is missing: the first line names ${COLUMNS.join(", ")}` })),
    );
  const strange = heads.filter((head) => head !== "" && !COLUMNS.some((column) => column === head));
  const notes = strange.length > 0 ? [`These columns are not known, and left out: ${strange.join(", ")}`] : [];
  const faults: SheetFault[] = [];
  const places = new Map<string, DeliveryPlace>();
  let line = 1;
  for (const [at, row] of rows.entries()) {
    const cell = (column: Column) => plainCell(row[heads.indexOf(column)]?.trim() ?? "");
    if (at > 0 && row.some((one) => one.trim() !== "")) {
      const place = readRow(cell, (column, what) => faults.push({ line, column, what }));
      if (place && places.has(placeKey(place)))
        faults.push({ line, column: "name", what: `${place.name} stands here twice` });
      else if (place) places.set(placeKey(place), place);
    }
    line += row.join("").split("\n").length; // a cell may have lines of its own
  }
  return { places: [...places.values()], faults, notes };
}

/** Undefined where something is wrong, which is told by `fault`. */
function readRow(
  cell: (column: Column) => string,
  fault: (column: Column, what: string) => void,
): DeliveryPlace | undefined {
  const kind = KINDS[cell("kind").toLowerCase()];
  const cents = centsFromDollars(cell("dollars").replace(/^\$/, ""));
  const name = kind === "country" ? countryCodeOf(cell("name")) : cell("name");
  if (!kind) fault("kind", `'${cell("kind")}' is none: state, pickup or country`);
  if (cents === undefined || cents > MOST_CENTS)
    fault("dollars", `'${cell("dollars")}' is no rate in dollars, like 12.50`);
  if (cell("name") === "") fault("name", "it is missing");
  else if (kind && !name)
    fault("name", `'${cell("name")}' is no country: its English name, like Ghana, or its code, like GH`);
  if (!kind || cents === undefined || cents > MOST_CENTS || !name) return;
  const given = kind === "pickup" ? PICKUP_DETAILS.filter((detail) => cell(detail) !== "") : [];
  return { kind, name, rateCents: cents, details: Object.fromEntries(given.map((detail) => [detail, cell(detail)])) };
}

/** The same as CSV, which can be read again. */
export function ratesCsv(places: DeliveryPlace[]): string {
  const rows = places.map(({ kind, name, rateCents, details }) => ({
    kind,
    name,
    dollars: dollarText(usdCents(rateCents)),
    ...Object.fromEntries(PICKUP_DETAILS.map((detail) => [detail, details[detail] ?? ""])),
  }));
  return csvText({ fields: [...COLUMNS], data: rows });
}
