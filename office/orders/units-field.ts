import { z } from "zod";
import { readUnits } from "#app/orders/units.ts";

/** A form field with units of sizes, each as productId:size:quantity. */
export const unitsField = z.string().transform((text, context) => {
  const units = readUnits(text);
  if (units) return units;
  context.addIssue({ code: "custom", message: "These are no pieces" });
  return z.NEVER;
});
