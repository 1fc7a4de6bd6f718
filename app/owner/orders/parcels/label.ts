import { z } from "zod";
import { cellText } from "#app/infra/document/table.ts";
import { printable } from "#app/infra/text/terminal-text.ts";

const LONGEST = 100;
/**
 * What spreadsheets show instead of a number: rounded (6.12206E+11), with zeros after the fifteenth digit, too wide for
 * its column (####), or not found (#N/A).
 */
const DESTROYED = /^(?:\d[.,]\d+E[+-]?\d+|\d+E[+-]\d+|\d{15}0{3,}|#+|#(?:N\/A|NV|[A-Z]+(?:\/0)?[!?]))$/i;

/**
 * A carrier or tracking number in the form that shoppers see, undefined if the text is empty; or what is wrong with it.
 */
export function readParcelLabel(text: string): { label?: string } | { problem: string } {
  const label = cellText(text).trim();
  if (label.length > LONGEST) return { problem: `At most ${LONGEST} letters` };
  if (printable(label) !== label || label.includes("\n")) return { problem: "Only letters and numbers, in one line" };
  if (DESTROYED.test(label))
    return { problem: `${label} was changed by a spreadsheet. Copy it from the carrier again, as text` };
  return { label: label || undefined };
}

/** `readParcelLabel` as a schema for form fields. */
export const parcelLabel = z
  .string()
  .transform((text, context) => {
    const read = readParcelLabel(text);
    if (!("problem" in read)) return read.label;
    context.addIssue(read.problem);
    return z.NEVER;
  })
  .optional();
