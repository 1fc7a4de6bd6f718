import { redirect } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { takeSteps } from "#app/owner/orders/many/steps.server.ts";
import { MOST_STEPS, type Step } from "#app/owner/orders/many/steps.ts";
import { endOfDay, shopDay } from "#app/owner/shop-time.server.ts";
import { change } from "../../http/changes.server.ts";
import { readNumbers } from "../list/filters.server.ts";
import { stepWorks } from "./works.server.ts";

const chosen = z.object({
  numbers: z
    .string("Choose orders in the list")
    .max(10_000, "Those are too many at once")
    .transform(readNumbers)
    .refine((numbers) => numbers.length > 0, "Choose orders in the list")
    .refine((numbers) => numbers.length <= MOST_STEPS, `At most ${MOST_STEPS} at once`),
});

const day = z
  .string()
  .trim()
  .refine((text) => text === "" || endOfDay(text) !== undefined, "Write a date like 2026-01-31")
  .refine((text) => text <= shopDay(), "That day hasn’t come yet")
  .transform((text) => text || undefined)
  .optional();

/** Marks the chosen orders, and leads to the page of the result. */
function mark<Fields extends z.infer<typeof chosen> & { day?: string }>(step: Step, fields: z.ZodType<Fields>) {
  return change({
    needs: "packing",
    fields,
    run: async ({ by, staff, fields: { numbers, day } }) => {
      const orders = { step, numbers, day };
      const id = await stepWorks[step].begin(staff.id, (onProgress) => takeSteps(db(), by, orders, onProgress));
      return redirect(`/orders/steps/${id}`);
    },
  });
}

/** The steps that the chosen orders can take at once. */
export const STEP_CHANGES = {
  pack: mark("pack", chosen),
  ready: mark("ready", chosen),
  deliver: mark("deliver", chosen.extend({ day })),
};
