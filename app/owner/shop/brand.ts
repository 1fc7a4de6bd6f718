import { z } from "zod";
import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { BRAND_MAX } from "./settings.ts";

const LEAST_OF_NAME = 2;

/** Letters that the shop's fonts have, digits, and the marks of names. */
const NAME = /^[\p{Script=Latin}\d][\p{Script=Latin}\p{Script=Inherited}\d &'’.,!+·–-]*$/u;
const OTHER_LETTERS = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
/** Controls, also those that change the direction of the text after them. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

const isName = (text: string) => NAME.test(text) && !UNSEEN.test(text);
const isWords = (text: string) => !OTHER_LETTERS.test(text) && !UNSEEN.test(text);

/** A line of text. Null if it is empty or equals the shop's default. */
function line(most: number, isFine: (text: string) => boolean, problem: string, shipped = "", least = 1) {
  const lettersOf = (text: string) => [...text].length;
  return z
    .string()
    .transform((text) => text.normalize("NFC").replaceAll(/\s+/g, " ").trim())
    .refine((text) => text === "" || lettersOf(text) >= least, `At least ${least} letters`)
    .refine((text) => lettersOf(text) <= most, `At most ${most} letters`)
    .refine((text) => text === "" || isFine(text), problem)
    .transform((text) => (text === "" || text === shipped ? null : text));
}

const NAME_PROBLEM = "Begin with a letter or digit, then letters, digits, spaces and & ' . , ! + - only";
const WORDS_PROBLEM = "Only letters, digits and marks that the shop’s fonts have";

/** The shop's name and the words about it, as the owner types them. */
export const brandValues = z.object({
  shopName: line(BRAND_MAX.shopName, isName, NAME_PROBLEM, SHIPPED_BRAND.name, LEAST_OF_NAME),
  wordmark: line(BRAND_MAX.wordmark, isName, NAME_PROBLEM),
  tagline: line(BRAND_MAX.tagline, isWords, WORDS_PROBLEM, SHIPPED_BRAND.tagline),
  footerLine: line(BRAND_MAX.footerLine, isWords, WORDS_PROBLEM),
});
