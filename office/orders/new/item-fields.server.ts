import { data } from "react-router";
import { z } from "zod";
import { type AgreedPrice, readAgreed } from "#app/owner/orders/links/agreed.server.ts";
import { LONGEST_REASON, MOST_LINES } from "#app/owner/orders/links/limits.ts";
import { type Granted, may } from "#app/staff/roles.ts";
import type { Outcome } from "../../http/changes.server.ts";
import { unitsField } from "../units-field.ts";

/** A price that was agreed on, as productId:size=dollars. */
const agreedField = z.string().transform((text, context) => {
  const price = readAgreed(text);
  if (price) return price;
  context.addIssue("That’s no price in dollars");
  return z.NEVER;
});

/** The items of an order that staff put together, with the prices that were agreed on and the reason for them. */
export const itemFields = {
  pieces: z.array(unitsField).min(1, "Add an item first").max(MOST_LINES, `At most ${MOST_LINES} items`),
  prices: z.array(agreedField).max(MOST_LINES).default([]),
  reason: z.string().trim().max(LONGEST_REASON, "That’s too long").optional(),
};

/** The refusal of agreed prices without a reason. Throws a 403 response if the role may not set prices. */
export function mayAgree(role: Granted, prices: AgreedPrice[], reason?: string): Outcome | undefined {
  if (prices.length === 0) return;
  if (!may(role, "prices")) throw data(null, 403);
  return reason ? undefined : { ok: false, problems: { reason: "Why is the price another one?" } };
}
