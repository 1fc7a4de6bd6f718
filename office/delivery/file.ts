import { z } from "zod";

/** A file of delivery rates as a form carries it. */
export const ratesFile = z.object({
  text: z.string().trim().min(1, "Choose a file, or paste its rows").max(500_000, "That is too much at once"),
  all: z.literal("on").optional(),
});
