import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { DAY, HOUR } from "#app/infra/durations.ts";
import { formatKobo } from "#app/money/format.ts";
import { MOST_LINES } from "#app/owner/orders/links/limits.ts";
import { putTogether } from "#app/owner/orders/links/new.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { change } from "../../http/changes.server.ts";
import { unitsField } from "../units-field.ts";
import { HOLDS } from "./holds.ts";

const HOLD_TIMES: Record<keyof typeof HOLDS, number> = { hour: HOUR, day: DAY, "two-days": 2 * DAY, "three-days": 3 * DAY };

export const NEW_ORDER_CHANGES = {
  send: change({
    needs: "service",
    fields: z.object({
      key: z.uuid(),
      email: z.string().trim().min(1, "Whose order is it?").max(254, "That’s too long"),
      pieces: z.array(unitsField).min(1, "Add an item first").max(MOST_LINES, `At most ${MOST_LINES} items`),
      hold: z.enum(Object.keys(HOLDS) as (keyof typeof HOLDS)[]),
    }),
    run: async ({ by, fields: { key, email, pieces, hold } }) => {
      const sent = await putTogether(db(), by, { email, units: pieces, heldFor: HOLD_TIMES[hold], formKey: key });
      const { number, kobo, until, url } = sent;
      return { ok: true, what: `${number}: ${formatKobo(kobo)}, held until ${shopTime(until)}`, link: url };
    },
  }),
};
