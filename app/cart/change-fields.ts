import { z } from "zod";
import { MOST_OF_A_LINE } from "./cart.ts";

/** The fields of a change of the cart, as forms and scripts send them. */
export const lineFields = { id: z.string().min(1).max(100), size: z.string().min(1).max(8) };
export const quantityField = z.int().min(1).max(MOST_OF_A_LINE);
