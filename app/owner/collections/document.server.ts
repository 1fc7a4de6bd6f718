import { z } from "zod";
import { FAMILY_NAMES } from "#app/catalog/filter/colors.ts";
import { kindField } from "#app/catalog/kind-field.server.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { isPlainLine } from "#app/infra/text/terminal-text.ts";
import { MOST_CENTS } from "#app/money/money.ts";
import { ALT_MAX, NO_ALT, picture, words as pictureWords } from "../shop/hero.ts";
import { momentAfter, momentOf, OVER_AT_ONCE, typedLastMinute, typedMoment } from "../shop-time.server.ts";
import {
  type CollectionDocument,
  ID_MAX,
  MOST_COLLECTIONS,
  MOST_DAYS,
  MOST_PRODUCTS,
  NAME_MAX,
  WORDS_MAX,
} from "./collection.ts";

const line = (most: number, asShown = (text: string) => text) =>
  z
    .string()
    .transform((text) => asShown(storableText(text)).trim())
    .refine((text) => text.length <= most, `At most ${most} letters`)
    .refine(isPlainLine, "Only letters and numbers, in one line");

export const name = line(NAME_MAX).refine((text) => text !== "", "Give it a name");
/** Lines become one, as the shop shows them. */
export const words = line(WORDS_MAX, (text) => text.replace(/\s+/g, " "));

const cents = z.int().min(0).max(MOST_CENTS).optional();
const rule = z
  .strictObject({
    kind: kindField.optional(),
    colors: z.array(z.enum(FAMILY_NAMES)).min(1).optional(),
    minCents: cents,
    maxCents: cents,
    onSale: z.literal(true).optional(),
    newDays: z.int().min(1).max(MOST_DAYS).optional(),
  })
  .refine((given) => Object.keys(given).length > 0, "A rule without a condition; null is no rule")
  .refine(({ minCents = 0, maxCents = MOST_CENTS }) => minCents <= maxCents, "minCents is more than maxCents");

const minute = (read: (text: string) => Date | undefined) =>
  z
    .string()
    .max(30)
    .transform((text, context) => {
      const at = read(text);
      if (!at) context.addIssue({ code: "custom", message: "A minute like 2026-12-01T09:00, in the shop's time zone" });
      return at;
    })
    .optional();

/** What a picture shows. */
export const alt = pictureWords(ALT_MAX);
const describedPicture = picture.extend({ alt: alt.refine((text) => text !== "", NO_ALT) }).optional();

export const collectionDocument: z.ZodType<CollectionDocument> = z
  .strictObject({
    id: z
      .string()
      .max(ID_MAX)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Letters from a to z, digits, and hyphens between them"),
    name,
    words: words.default(""),
    rule: rule.nullable().default(null),
    picture: describedPicture,
    hidden: z.boolean().default(true),
    place: z.int().min(1).max(MOST_COLLECTIONS).optional(),
    products: z
      .array(z.string().regex(/^[\w-]{1,100}$/, "No product has such an id"))
      .max(MOST_PRODUCTS)
      .transform((ids) => [...new Set(ids)])
      .default([]),
    from: minute(momentOf),
    until: minute(momentAfter),
  })
  .refine(({ from, until }) => !from || !until || from < until, OVER_AT_ONCE)
  .transform(({ from, until, picture, ...rest }) => ({
    ...rest,
    ...(picture && { picture }),
    ...(from && { startsAt: from }),
    ...(until && { endsAt: until }),
  }));

/** A collection as commands print it, to be read again. */
export function printedCollection({ startsAt, endsAt, ...rest }: CollectionDocument) {
  return {
    ...rest,
    ...(startsAt && { from: typedMoment(startsAt) }),
    ...(endsAt && { until: typedLastMinute(endsAt) }),
  };
}
