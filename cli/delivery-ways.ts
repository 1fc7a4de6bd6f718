import { z } from "zod";
import { fold } from "#app/infra/text/fold.ts";
import { formatUsd } from "#app/money/format.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import { STANDARD } from "#app/orders/handover/ways.ts";
import { type HandoverWay, handoverWays, switchHandover } from "#app/owner/delivery/handover.server.ts";
import { deliveryWays, placesLine, setWays, switchWay, WAY_FIELDS, wishOf } from "#app/owner/delivery/ways.server.ts";
import type { StoredWay } from "#app/owner/delivery/ways.ts";
import { daysOfWay } from "#app/shipping/ways/text.ts";
import { type Actions, action, badInput } from "./command.ts";
import { readListOf } from "./read-file.ts";

export const deliveryWayActions: Actions = {
  "delivery-ways list": action({
    says: "lists the ways of home delivery beside the standard one; --json prints them for 'delivery-ways set'",
    changes: false,
    async run({ db }) {
      const ways = await deliveryWays(db);
      const data = ways.map(({ id: _, version: __, rateCents, ...way }) => {
        return { ...way, dollars: dollars(usdCents(rateCents)) };
      });
      return { code: 0, data, text: ways.map(lineOf).join("\n") || "No ways beside the standard delivery yet" };
    },
  }),
  "delivery-ways set": action({
    words: ["file"],
    says: "adds or changes, by name, the ways of delivery that are in a JSON file; others stay. A new way stays off",
    changes: true,
    async run({ db, by, words: { file } }) {
      const ways = await readListOf(document, "way", file);
      const wishes = ways.map(({ active: _, ...way }) => wishOf(way));
      await setWays(db, by, wishes);
      return { code: 0, data: wishes, text: `Set: ${wishes.map(({ name }) => name).join(", ") || "nothing"}` };
    },
  }),
  "delivery-ways switch": action({
    words: ["name", "state"],
    says: "switches a way of delivery on or off (STATE) for the checkout; orders keep theirs",
    changes: true,
    async run({ db, by, words: { name, state: to } }) {
      if (to !== "on" && to !== "off") return badInput(`'${to}' is neither on nor off`);
      const stored = (await deliveryWays(db)).find((way) => fold(way.name) === fold(name));
      if (!stored) return badInput(`There is no way of delivery '${name}'`);
      const way = await switchWay(db, by, stored.id, to === "on");
      return { code: 0, data: { name: way.name, active: way.active }, text: `${way.name} is ${to}` };
    },
  }),
  "delivery-ways handover": action({
    words: ["name", "state"],
    says: "switches handover by a code on or off (STATE) for a way: standard, pick-up or NAME; orders that were sent stay as they are",
    changes: true,
    async run({ db, by, words: { name, state: to } }) {
      if (to !== "on" && to !== "off") return badInput(`'${to}' is neither on nor off`);
      const nameOf = (one: HandoverWay) => (one.way === STANDARD ? STANDARD : fold(one.name));
      const stored = (await handoverWays(db, await deliveryWays(db))).find((one) => nameOf(one) === fold(name));
      if (!stored) return badInput(`There is no way of delivery '${name}'`);
      const { way: _, ...data } = await switchHandover(db, by, stored.way, to === "on");
      return { code: 0, data, text: `Handover by a code is ${to} for ${data.name}` };
    },
  }),
};

function lineOf(way: StoredWay): string {
  const { name, rateCents, places, orderBy, active } = way;
  const promise = [daysOfWay(way), orderBy && `order by ${orderBy}`].filter(Boolean).join(", ");
  return [active ? "on " : "off", name, formatUsd(usdCents(rateCents)), promise, placesLine(places)].join("  ");
}

/** A way as `list` prints it. Whether it is on is not set by a file. */
const document = z.strictObject({ ...WAY_FIELDS, active: z.boolean().optional() });
