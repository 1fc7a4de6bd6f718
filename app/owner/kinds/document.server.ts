import { z } from "zod";
import { storableText } from "#app/infra/text/storable-text.ts";
import { isPlainLine } from "#app/infra/text/terminal-text.ts";
import { ID_MAX, MOST_KINDS, NAME_MAX, TAKEN_ID } from "./kind.ts";

export const name = z
  .string()
  .transform((text) => storableText(text).trim())
  .refine((text) => text !== "", "Give it a name")
  .refine((text) => text.length <= NAME_MAX, `At most ${NAME_MAX} letters`)
  .refine(isPlainLine, "Only letters and numbers, in one line")
  .refine((text) => !/[,>]/.test(text), "No comma and no “>”: in tables and feeds they stand between kinds");

/** A kind as commands read it. Without `place`, it stays where it is, and a new one comes last. */
export const kindDocument = z.strictObject({
  id: z
    .string()
    .max(ID_MAX)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Letters from a to z, digits, and hyphens between them")
    .refine((id) => id !== TAKEN_ID, "Another id: this one means all products"),
  name,
  place: z.int().min(1).max(MOST_KINDS).optional(),
});
export type KindDocument = z.infer<typeof kindDocument>;
