import { z } from "zod";
import { kindsField } from "#app/catalog/kind-field.server.ts";
import { ONE_SIZE, SIZES } from "#app/catalog/sizes.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { isPlainLine } from "#app/infra/text/terminal-text.ts";
import { ID_MAX as COLLECTION_ID_MAX, MOST_COLLECTIONS } from "../collections/collection.ts";
import {
  CM_RULE,
  ID_MAX,
  inStoredOrder,
  isCentimetres,
  LINE_MAX,
  MEASURE_MAX,
  MOST_MEASURES,
  MOST_PRODUCTS,
  NAME_MAX,
  NEW_ID,
  type SizeGuideDocument,
  tableProblems,
} from "./size-guide.ts";

const line = (most: number) =>
  z
    .string()
    .transform((text) => storableText(text).trim())
    .refine((text) => text.length <= most, `At most ${most} letters`)
    .refine(isPlainLine, "Only letters and numbers, in one line");
const someLine = (most: number) => line(most).refine((text) => text !== "", "Give it a name");

export const name = someLine(NAME_MAX);
export const falls = line(LINE_MAX);
export const measure = z.strictObject({ name: someLine(MEASURE_MAX), meaning: line(LINE_MAX).default("") });

const address = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Letters from a to z, digits, and hyphens between them");

export const sizeGuideDocument: z.ZodType<SizeGuideDocument> = z
  .strictObject({
    id: address(ID_MAX).refine((id) => id !== NEW_ID, "Another id: the office has a form at this one"),
    name,
    falls: falls.default(""),
    kinds: kindsField.default([]),
    collections: z.array(address(COLLECTION_ID_MAX)).max(MOST_COLLECTIONS).default([]),
    products: z
      .array(z.string().regex(/^[\w-]{1,100}$/, "No product has such an id"))
      .max(MOST_PRODUCTS, `At most ${MOST_PRODUCTS} products`)
      .default([]),
    measures: z.array(measure).min(1, "At least one measure").max(MOST_MEASURES, `At most ${MOST_MEASURES} measures`),
    sizes: z
      .array(
        z.strictObject({
          size: z.enum([...SIZES, ONE_SIZE]),
          cm: z.array(z.number().refine(isCentimetres, CM_RULE)).max(MOST_MEASURES),
        }),
      )
      .min(1, "At least one size")
      .max(SIZES.length + 1),
  })
  .superRefine((guide, context) => {
    for (const { path, message } of tableProblems(guide)) context.addIssue({ code: "custom", path, message });
  })
  .transform(inStoredOrder);
