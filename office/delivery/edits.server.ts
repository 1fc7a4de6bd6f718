import { z } from "zod";
import { readStorableJson } from "#app/infra/storable-text.ts";
import { MOST_CENTS } from "#app/money/money.ts";
import { type PlaceEdit, placeKey, RATE_KINDS } from "#app/owner/delivery/rates.ts";
import { PICKUP_DETAILS } from "#app/shipping/shipping.ts";

const side = z.object({
  rateCents: z.int("Dollars, like 3.50").min(0).max(MOST_CENTS),
  details: z.partialRecord(z.enum(PICKUP_DETAILS), z.string().max(300, "At most 300 letters")),
});
const was = z.object({ rateCents: z.int(), details: z.record(z.string(), z.string()) });
const edit = z.object({
  kind: z.enum(RATE_KINDS),
  name: z.string().trim().min(1).max(100),
  was: was.nullable(),
  now: side.nullable().optional(), // missing: what was typed is no sum
});

/** The changes that a form carries as JSON; what is wrong is named by its place. */
export const editsField = z.string().transform((text, context): PlaceEdit[] => {
  const parsed = z.array(edit).min(1).max(1000).safeParse(readStorableJson(text));
  if (!parsed.success) {
    context.addIssue({ code: "custom", message: "These are no changes" });
    return z.NEVER;
  }
  return parsed.data.map((one): PlaceEdit => {
    const { now } = one;
    if (now === undefined) context.addIssue({ code: "custom", path: [placeKey(one)], message: "Like 3.50" });
    return {
      ...one,
      now: now ? { rateCents: now.rateCents, details: { ...now.details } as Record<string, string> } : null,
    };
  });
});
