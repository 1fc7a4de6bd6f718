import { z } from "zod";
import { FAMILY_NAMES } from "#app/catalog/filter/colors.ts";
import { kindField } from "#app/catalog/kind-field.server.ts";
import { centsFromDollars, MOST_CENTS } from "#app/money/money.ts";
import { readWhole } from "#app/money/typed-number.ts";
import { MOST_DAYS } from "#app/owner/collections/collection.ts";
import type { CollectionRule } from "#db/types.ts";

/** The fields of a collection's form that make its rule. */
export const RULE_FIELDS = {
  kind: z.literal("").or(kindField).default(""),
  colors: z.array(z.enum(FAMILY_NAMES)).default([]),
  from: z.string().max(20).default(""),
  to: z.string().max(20).default(""),
  onSale: z.literal("on").optional(),
  newDays: z.string().max(10).default(""),
};
type Typed = z.infer<z.ZodObject<typeof RULE_FIELDS>>;

/** The rule of a posted form, null if its fields are empty, with error messages by field. */
export function readRule({ kind, colors, from, to, onSale, newDays }: Typed) {
  const [minCents, maxCents, days] = [centsIn(from), centsIn(to), readWhole(newDays)];
  const problems = {
    ...(from.trim() && minCents === undefined && { from: SUM }),
    ...(to.trim() && maxCents === undefined && { to: SUM }),
    ...(minCents !== undefined &&
      maxCents !== undefined &&
      minCents > maxCents && { to: "More than the lowest price" }),
    ...(newDays.trim() && !(days && days <= MOST_DAYS) && { newDays: `A whole number from 1 to ${MOST_DAYS}` }),
  };
  if (Object.keys(problems).length > 0) return { rule: null, problems };
  const rule: CollectionRule = {
    ...(kind && { kind }),
    ...(colors.length > 0 && { colors }),
    ...(minCents !== undefined && { minCents }),
    ...(maxCents !== undefined && { maxCents }),
    ...(onSale && { onSale: true }),
    ...(days && { newDays: days }),
  };
  return { rule: Object.keys(rule).length > 0 ? rule : null };
}

const SUM = "A price in dollars, like 41.99";

/** Undefined if it is no price, or more than any product costs. */
function centsIn(text: string): number | undefined {
  const cents = centsFromDollars(text);
  return cents !== undefined && cents <= MOST_CENTS ? cents : undefined;
}
