import { z } from "zod";
import { isPlainLine } from "#app/infra/text/terminal-text.ts";

/** The contents that a column of a courier's file can have, with their names in the office. */
export const CELLS = {
  number: "Order number",
  name: "Name",
  phone: "Phone",
  address: "Whole address",
  street: "Street",
  landmark: "Landmark",
  city: "City",
  localGovernment: "Local government",
  state: "State",
  postalCode: "Postal code",
  country: "Country",
  pickUp: "Pick-up centre",
  pieces: "Number of pieces",
  contents: "Contents",
  sender: "Sender’s name and address",
  senderPhone: "Sender’s phone",
};
export type Cell = keyof typeof CELLS;

/** A column of the file: its heading, as the courier wants it, and what it holds. */
export type CourierColumn = { heading: string; cell: Cell };

/** The columns until the owner has chosen others. */
export const USUAL_COLUMNS: CourierColumn[] = (
  ["number", "name", "phone", "street", "landmark", "city", "state", "country", "pieces", "contents"] as const
).map((cell) => ({ heading: CELLS[cell], cell }));

export const MOST_COLUMNS = 20;
export const HEADING_MAX = 60;

export const courierColumns = z
  .array(
    z.object({
      heading: z
        .string()
        .trim()
        .max(HEADING_MAX, `At most ${HEADING_MAX} letters in a heading`)
        .refine(isPlainLine, "Only letters and numbers in a heading"),
      cell: z.enum(Object.keys(CELLS) as Cell[], "Choose what the column holds"),
    }),
  )
  .transform((columns) => columns.filter(({ heading }) => heading !== ""))
  .refine((columns) => columns.length > 0, "Write a heading for at least one column")
  .refine((columns) => columns.length <= MOST_COLUMNS, `At most ${MOST_COLUMNS} columns`);
