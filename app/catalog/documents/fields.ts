import { z } from "zod";
import { centsFromDollars, MOST_CENTS } from "#app/money/money.ts";
import { readSum, readWhole } from "#app/money/typed-number.ts";
import { countryCode, hsCode } from "../customs.ts";
import { type Detail, MOST_LETTERS } from "../product-fields.ts";

/**
 * A field with an amount in dollars, as text or number; read as cents. `what` names the amount in the error message,
 * `least` is the minimum in cents.
 */
export function dollarsField(what: string, least = 0) {
  return z.union([z.string(), z.number()]).transform((given, context) => {
    const cents = centsFromDollars(given);
    if (cents !== undefined && cents >= least && cents <= MOST_CENTS) return cents;
    context.addIssue(`'${given}' isn’t ${what}`);
    return z.NEVER;
  });
}

/** A field with a number of pieces, as text or number. */
export function piecesField(most: number, least = 1) {
  return z
    .union([z.string().transform((text) => readWhole(text)), z.number()])
    .pipe(
      z.int("isn’t a whole number of pieces").min(least, `is less than ${least}`).max(most, `is more than ${most}`),
    );
}

/** A product's detail as documents and forms give it; an empty text removes it. `tooLong`: the error message. */
export function detailField({ isNumber, most, form }: Detail, tooLong: string): z.ZodType<string | number> {
  if (isNumber) return numberOrEmpty(most);
  const text = z.string().trim().max(MOST_LETTERS, tooLong);
  if (!form) return text;
  const { read, wants } = FORMS[form];
  return z.union([z.number().transform(String), z.string()]).pipe(
    text.transform((given, context) => {
      const known = given && read(given);
      if (known !== undefined) return known;
      context.addIssue(`'${given}' isn’t ${wants}`);
      return z.NEVER;
    }),
  );
}

/** The stored form of a typed text, which is undefined if it isn't what `wants` says. */
export const FORMS = {
  hsCode: { read: hsCode, wants: "an HS code of 6 to 10 digits, like 6109.10" },
  country: { read: countryCode, wants: "a country, like NG or Nigeria" },
};

function numberOrEmpty(most = Number.MAX_SAFE_INTEGER) {
  return z.union([z.string().trim(), z.number()]).transform((given, context) => {
    const number = given && readWhole(String(given));
    if (number === "" || (number && number <= most)) return number;
    context.addIssue(number ? `is more than ${most}` : `'${given}' isn’t a whole number`);
    return z.NEVER;
  });
}

/** A field with a sum in naira, as text or number. */
export const nairaField = z.union([z.string(), z.number()]).transform((given, context) => {
  const naira = Number(readSum(String(given), "NGN", 20));
  if (naira > 0) return naira;
  context.addIssue(`'${given}' isn’t an amount in naira, like 31,200`);
  return z.NEVER;
});

/** Words that no product can have as its id, because the office has pages at /products/ with these names. */
export const TAKEN_IDS = ["new", "pictures", "stock", "import", "prices"];

export const productId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, "an id has letters, digits, - and _")
  .refine(
    (id) => !TAKEN_IDS.includes(id.toLowerCase()),
    `no product can be called ${TAKEN_IDS.join(", ")}: the office has pages there`,
  );
