import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { endQueue, switchQueueOn } from "#app/owner/queues/queues.server.ts";
import { momentOf } from "#app/owner/shop-time.server.ts";
import { change } from "../http/changes.server.ts";

const typed = z.object({
  from: z
    .string()
    .max(30)
    .default("")
    .refine((text) => text === "" || momentOf(text), "A day and a time, or nothing"),
  pace: z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, "A whole number"),
});

export const QUEUE_CHANGES = {
  "queue-on": change({
    needs: "catalogue",
    fields: typed,
    returnsTyped: true,
    run: async ({ by, params: { id = "" }, fields: { from, pace } }) => {
      await switchQueueOn(db(), by, id, { opensAt: momentOf(from), pace: Number(pace) });
      return { ok: true, what: "The queue is on." };
    },
  }),
  "queue-off": change({
    needs: "catalogue",
    fields: z.object({}),
    run: async ({ by, params: { id = "" } }) => {
      const ended = await endQueue(db(), by, id);
      return { ok: true, what: ended ? "The queue has ended." : "It was over already." };
    },
  }),
};
