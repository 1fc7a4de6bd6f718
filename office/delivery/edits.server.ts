import { z } from "zod";
import { readStorableJson } from "#app/infra/text/storable-text.ts";
import { MOST_CENTS } from "#app/money/money.ts";
import { type PlaceEdit, placeKey, RATE_KINDS } from "#app/owner/delivery/rates.ts";
import { PICKUP_DETAILS } from "#app/shipping/shipping.ts";

const side = z.object({
  rateCents: z.int("Dollars, like 3.50").min(0).max(MOST_CENTS),
  details: z.partialRecord(z.enum(PICKUP_DETAILS), z.string().max(300, "At most 300 characters")),
});
const was = z.object({ rateCents: z.int(), details: z.record(z.string(), z.string()) });
const edit = z.object({
  kind: z.enum(RATE_KINDS),
  name: z.string().trim().min(1).max(100),
  was: was.nullable(),
  now: side.nullable().optional(), // missing if the typed rate was not valid
});

const changedRate = z.object({
  kind: z.enum(RATE_KINDS),
  name: z.string().min(1),
  was: z.int().min(0),
  now: z.int().min(0).max(MOST_CENTS),
});

/** The most values in the JSON text: 1,000 edits, with the details of pick-up centres before and after. */
const MANY_EDITS = 40_000;

/** A form field with changes as JSON. An error has the key of its place as its path. */
export const editsField = z.string().transform((text, context): PlaceEdit[] => {
  const parsed = z.array(edit).min(1).max(1000).safeParse(readStorableJson(text, MANY_EDITS));
  if (!parsed.success) {
    context.addIssue({ code: "custom", message: "This isn’t a list of changes" });
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

/** A form field with a previewed change of many rates as JSON. */
export const ratesField = z
  .string()
  .transform((text) => readStorableJson(text, MANY_EDITS))
  .pipe(z.array(changedRate).min(1));
