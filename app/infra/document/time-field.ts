import { z } from "zod";

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
