import { z } from "zod";
import { cashRounding } from "#app/by-hand/book.server.ts";
import { MEANS } from "#app/by-hand/means.ts";
import { sumToTake } from "#app/by-hand/rounding.ts";
import { db } from "#app/infra/database/db.server.ts";
import { MOST_LINES } from "#app/owner/orders/links/limits.ts";
import { LONGEST_STALL, sellAtStall } from "#app/owner/orders/stall/sell.server.ts";
import { change } from "../../http/changes.server.ts";
import { bankReference } from "../changes.server.ts";
import { itemFields, mayAgree } from "../new/item-fields.server.ts";

/** What the customer may give, and may leave out. */
const optional = z.string().trim().max(254, "That’s too long").default("");

export const STALL_CHANGES = {
  sell: change({
    needs: "till",
    size: { fields: 2 * MOST_LINES + 20 },
    returnsTyped: true,
    fields: z.object({
      key: z.uuid(),
      ...itemFields,
      kobo: z.coerce.number().int().positive(),
      means: z.enum(MEANS, "Choose how it was paid"),
      bankReference,
      stall: z.string().trim().min(1, "Where do you sell it?").max(LONGEST_STALL, "That’s too long"),
      name: optional,
      email: optional,
      phone: optional,
    }),
    run: async ({ by, staff, fields: { key, pieces, prices, reason, ...sale } }) => {
      const unexplained = mayAgree(staff.role, prices, reason);
      if (unexplained) return unexplained;
      const items = { units: pieces, agreed: prices, reason };
      const taken = sumToTake(sale.kobo, sale.means, await cashRounding(db()));
      const { number, what } = await sellAtStall(db(), by, { ...sale, ...items, kobo: taken, formKey: key });
      return { ok: true, what, link: `/orders/${number}` };
    },
  }),
};
