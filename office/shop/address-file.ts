import { z } from "zod";

/** A form may encode one character as nine bytes. */
export const ADDRESSES_FORM = { bytes: 9_100_000 };

/** The form fields with a file of old addresses. */
export const addressesFile = z.object({
  text: z.string().trim().min(1, "Choose a file, or paste its rows").max(1_000_000, "That’s too much at once"),
  skip: z.literal("on").optional(),
});
