import { z } from "zod";

/** A form may encode one character as nine bytes. */
export const RATES_FORM = { bytes: 4_600_000 };

/** The form fields with a file of delivery rates. */
export const ratesFile = z.object({
  text: z.string().trim().min(1, "Choose a file, or paste its rows").max(500_000, "That’s too much at once"),
  all: z.literal("on").optional(),
});
