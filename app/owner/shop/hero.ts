import { z } from "zod";
import { collectionOf, currentTarget, HERO_PLACES, productOf } from "#app/catalog/home/hero.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { isPlainLine, printable } from "#app/infra/text/terminal-text.ts";
import type { HeroSlide } from "#db/types.ts";
import { brokenTitle, titleProblem } from "./hero-title.ts";

export const GROUNDS = ["orange", "green", "brown"] as const satisfies HeroSlide["ground"][];
export const MOST_SLIDES = 6;
/** One or two lines below the title. */
export const TEXT_MAX = 80;
export const LABEL_MAX = 40;
export const ALT_MAX = 300;

/** A line of text of at most `most` letters; by default an empty one. */
export const words = (most: number) =>
  z
    .string()
    .transform((text) => storableText(text).trim())
    .refine((text) => text.length <= most, `At most ${most} letters`)
    .refine(isPlainLine, "Only letters and numbers, in one line")
    .default("");

const title = z
  .string()
  .transform((text) => brokenTitle(storableText(text)))
  .refine((text) => printable(text) === text, "Letters and numbers alone")
  .superRefine((text, context) => {
    const message = titleProblem(text);
    if (message) context.addIssue(message);
  });

/** A picture of the store by its hash, with the point that a crop keeps. */
export const picture = z.object(
  {
    hash: z.string().regex(/^[0-9a-f]{20}$/),
    focus: z
      .string()
      .regex(/^(100|\d\d?)% (100|\d\d?)%$/)
      .optional(),
  },
  "Add a picture",
);
/** What is wrong with a description of a picture that is empty. */
export const NO_ALT = "Describe the picture for people who can’t see it";
/** The id of a slide or section, which is not shown. */
export const listedId = z.string().regex(/^[A-Za-z0-9-]{1,40}$/);
/** Whether no two have the same id. */
export const haveOwnIds = (all: { id: string }[]) => new Set(all.map(({ id }) => id)).size === all.length;

const slide = z
  .object({
    id: listedId,
    ground: z.enum(GROUNDS, `A ground is ${GROUNDS.join(", ")}`),
    title,
    text: words(TEXT_MAX),
    alt: words(ALT_MAX).refine((text) => text !== "", NO_ALT),
    target: z
      .string()
      .trim()
      .transform(currentTarget)
      .refine(
        (target) =>
          storableText(target) === target &&
          (target === "" || Object.hasOwn(HERO_PLACES, target) || Boolean(productOf(target) ?? collectionOf(target))),
        `A product as product:ID, a collection or kind as /collections/ID, or one of ${Object.keys(HERO_PLACES).join(", ")}`,
      )
      .default(""),
    label: words(LABEL_MAX),
    desktop: picture.nullable().default(null),
    phone: picture.nullable().default(null),
  })
  .refine(({ desktop, phone }) => desktop !== null || phone === null, {
    path: ["desktop"],
    message: "Add a picture for wide windows, too",
  });

/**
 * The editable values of a slide. Of its pictures, these are the file and the focus point; the rest is read from the
 * stored file.
 */
export type SlideWish = z.infer<typeof slide>;

/** All slides, in order. */
export const slides = z
  .array(slide)
  .min(1, "Keep at least one slide")
  .max(MOST_SLIDES, `At most ${MOST_SLIDES} slides`)
  .refine(haveOwnIds, "Two slides have the same id");
