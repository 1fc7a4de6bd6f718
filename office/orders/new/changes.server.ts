import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { DAY, HOUR } from "#app/infra/durations.ts";
import { formatKobo } from "#app/money/format.ts";
import { MOST_LINES } from "#app/owner/orders/links/limits.ts";
import { putTogether } from "#app/owner/orders/links/new.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { NIGERIA } from "#app/shipping/nigeria.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { change } from "../../http/changes.server.ts";
import { HOLDS } from "./holds.ts";
import { itemFields, mayAgree } from "./item-fields.server.ts";

const HOLD_TIMES: Record<keyof typeof HOLDS, number> = {
  hour: HOUR,
  day: DAY,
  "two-days": 2 * DAY,
  "three-days": 3 * DAY,
};

/** The order's address, read by the rules of the shop's own form. */
async function readAddress(email: string, address: Record<string, string>) {
  const rates = await loadShippingRates(db());
  return readShippingForm(new URLSearchParams({ country: NIGERIA.name, email, ...address }), rates);
}

/** A field of the address, which the form has only if the shop knows no address of the customer. */
const place = z.string().max(254, "That’s too long").optional();

export const NEW_ORDER_CHANGES = {
  send: change({
    needs: "service",
    size: { fields: 2 * MOST_LINES + 20 },
    returnsTyped: true,
    fields: z.object({
      key: z.uuid(),
      email: z.string().trim().min(1, "Whose order is it?").max(254, "That’s too long"),
      ...itemFields,
      hold: z.enum(Object.keys(HOLDS) as (keyof typeof HOLDS)[]),
      firstName: place,
      lastName: place,
      phoneNumber: place,
      deliveryType: place,
      state: place,
      address: place,
      landmark: place,
      pickupCenter: place,
    }),
    run: async ({ by, staff, fields: { key, email, pieces, prices, reason, hold, ...address } }) => {
      const unexplained = mayAgree(staff.role, prices, reason);
      if (unexplained) return unexplained;
      const isAsked = Object.keys(address).length > 0;
      const wanted = isAsked ? await readAddress(email, address as Record<string, string>) : undefined;
      if (wanted && !wanted.ok) return { ok: false, problems: wanted.errors };
      const order = { units: pieces, agreed: prices, reason, address: wanted?.form };
      const wish = { email, ...order, heldFor: HOLD_TIMES[hold], formKey: key };
      const { number, kobo, until, url } = await putTogether(db(), by, wish);
      return { ok: true, what: `${number}: ${formatKobo(kobo)}, held until ${shopTime(until)}`, link: url };
    },
  }),
};
