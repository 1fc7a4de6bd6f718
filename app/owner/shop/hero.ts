import { z } from "zod";
import { HERO_PLACES, productOf } from "#app/catalog/home/hero.ts";
import { storableText } from "#app/infra/storable-text.ts";
import { printable } from "#app/infra/terminal-text.ts";
import type { HeroSlide } from "#db/types.ts";

export const GROUNDS = ["orange", "green", "brown"] as const satisfies HeroSlide["ground"][];
export const MOST_SLIDES = 6;
/** So many lines the large words may have, and so many letters each: what fits a phone, and the left half of a screen. */
export const TITLE_LINES = 3;
export const TITLE_LINE = 12;
/** One or two lines below them. */
export const TEXT_MAX = 80;
export const LABEL_MAX = 40;
export const ALT_MAX = 300;

const words = (most: number) =>
  z
    .string()
    .transform((text) => storableText(text).trim())
    .refine((text) => text.length <= most, `At most ${most} letters`)
    .refine((text) => printable(text) === text && !text.includes("\n"), "Letters and numbers alone, in one line")
    .default("");

const title = z
  .string()
  .transform((text) =>
    storableText(text)
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .join("\n"),
  )
  .refine((text) => text !== "", "Give it a title")
  .refine((text) => printable(text) === text, "Letters and numbers alone")
  .refine((text) => text.split("\n").length <= TITLE_LINES, `At most ${TITLE_LINES} lines`)
  .refine(
    (text) => text.split("\n").every((line) => line.length <= TITLE_LINE),
    `At most ${TITLE_LINE} letters in a line: break it where its sense breaks`,
  );

const picture = z.object({
  hash: z.string().regex(/^[0-9a-f]{20}$/),
  focus: z
    .string()
    .regex(/^(100|\d\d?)% (100|\d\d?)%$/)
    .optional(),
});

const slide = z
  .object({
    id: z.string().regex(/^[A-Za-z0-9-]{1,40}$/),
    ground: z.enum(GROUNDS, `A ground is ${GROUNDS.join(", ")}`),
    title,
    text: words(TEXT_MAX),
    alt: words(ALT_MAX).refine((text) => text !== "", "Say what the picture shows, for those who do not see it"),
    target: z
      .string()
      .trim()
      .refine(
        (target) => target === "" || Object.hasOwn(HERO_PLACES, target) || Boolean(productOf(target)),
        `A product as product:ID, or one of ${Object.keys(HERO_PLACES).join(", ")}`,
      )
      .default(""),
    label: words(LABEL_MAX),
    desktop: picture.nullable().default(null),
    phone: picture.nullable().default(null),
  })
  .refine(({ desktop, phone }) => desktop !== null || phone === null, {
    path: ["desktop"],
    message: "Give it a picture for wide windows, too",
  });

/** What can be said of a slide: of its pictures which, and their focus points. The rest of them is known here. */
export type SlideWish = z.infer<typeof slide>;

/** All slides, in their order. */
export const slides = z
  .array(slide)
  .min(1, "One slide stays")
  .max(MOST_SLIDES, `At most ${MOST_SLIDES} slides`)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "Two slides have one id");
