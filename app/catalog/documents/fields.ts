import { z } from "zod";
import { centsFromDollars, MOST_CENTS } from "#app/money/money.ts";

/** An amount of a document, in dollars as text or number; read as cents. `what` is said where it is none, `least` is in cents. */
export function dollarsField(what: string, least = 0) {
  return z.union([z.string(), z.number()]).transform((given, context) => {
    const cents = centsFromDollars(given);
    if (cents !== undefined && cents >= least && cents <= MOST_CENTS) return cents;
    context.addIssue(`'${given}' is no ${what}`);
    return z.NEVER;
  });
}

/** What the office has at /products/NAME beside products: no product is called so. */
export const TAKEN_IDS = ["new", "pictures", "stock", "import"];

export const productId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, "an id has letters, digits, - and _")
  .refine(
    (id) => !TAKEN_IDS.includes(id.toLowerCase()),
    `no product can be called ${TAKEN_IDS.join(", ")}: the office has pages there`,
  );
