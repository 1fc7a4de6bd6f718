import { z } from "zod";
import { MOST_LINES, MOST_OF_A_LINE } from "./cart.ts";
import { readGuestItems } from "./guest-item.ts";

/** The fields of a change of the cart, as both forms and scripts send them. */
export const lineFields = { id: z.string().min(1).max(100), size: z.string().min(1).max(8) };
const quantityField = z.int().min(1).max(MOST_OF_A_LINE);

const units = z.string().regex(/^\d+$/).transform(Number).pipe(quantityField);

/** A change as a form sends it. */
export const cartForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("add"), ...lineFields, quantity: units.default(1) }),
  z.object({ intent: z.literal("set"), ...lineFields, quantity: units }),
  z.object({ intent: z.literal("remove"), ...lineFields }),
  z.object({ intent: z.literal("size"), ...lineFields, to: lineFields.size }),
  z.object({ intent: z.literal("code"), code: z.string().trim().max(40).default("") }),
]);

const items = z.array(z.unknown()).max(MOST_LINES).transform(readGuestItems);

/** The JSON requests of the pages' scripts. */
export const cartQuestion = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("price"), items }),
  z.object({ intent: z.literal("take") }),
  z.object({ intent: z.literal("taken"), mark: z.string().max(100) }),
  z.object({ intent: z.literal("show") }),
  z.object({ intent: z.literal("merge"), items, mergeId: z.string().max(100) }),
  z.object({ intent: z.literal("add"), ...lineFields, quantity: quantityField, key: z.uuid().optional() }),
  z.object({ intent: z.literal("set"), ...lineFields, quantity: quantityField }),
  z.object({ intent: z.literal("remove"), ...lineFields }),
  z.object({ intent: z.literal("size"), ...lineFields, to: lineFields.size }),
]);
