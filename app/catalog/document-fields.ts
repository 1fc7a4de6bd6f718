import { z } from "zod";
import { centsFromDollars } from "#app/money/money.ts";

/** An amount of a document, in dollars as text or number; read as cents. `what` is said where it is none, `least` is in cents. */
export function dollarsField(what: string, least = 0) {
  return z.union([z.string(), z.number()]).transform((given, context) => {
    const cents = centsFromDollars(given);
    if (cents !== undefined && cents >= least) return cents;
    context.addIssue(`'${given}' is no ${what}`);
    return z.NEVER;
  });
}

/** A time of a document: ISO 8601, milliseconds, or a document database's {seconds}. */
export const time = z
  .union([z.string(), z.number(), z.object({ seconds: z.number() }), z.object({ _seconds: z.number() })])
  .transform((given, context) => {
    const date = new Date(
      typeof given === "object" ? 1000 * ("seconds" in given ? given.seconds : given._seconds) : given,
    );
    if (!Number.isNaN(date.getTime())) return date;
    context.addIssue(`'${JSON.stringify(given)}' is no time`);
    return z.NEVER;
  });
