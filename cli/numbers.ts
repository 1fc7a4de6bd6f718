import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { businessDays, NUMBER_LIMITS, ownNumbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { numberValues } from "#app/owner/shop/numbers.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import { dayRange, packingDays, standardDays } from "#app/shipping/delivery-time.ts";
import { type Actions, action, type Result } from "./command.ts";

/** The options, with the values that they set. */
const OPTIONS = {
  "return-days": "returnDays",
  "damage-hours": "damageHours",
  "refund-days": "refundDays",
  "pack-from": "packFrom",
  "pack-to": "packTo",
  "nigeria-from": "nigeriaFrom",
  "nigeria-to": "nigeriaTo",
  "abroad-from": "abroadFrom",
  "abroad-to": "abroadTo",
} as const;
const LIMITS = Object.entries(OPTIONS).map(
  ([option, name]) => `--${option} from ${NUMBER_LIMITS[name].least} to ${NUMBER_LIMITS[name].most}`,
);

export const numbers: Actions = {
  "numbers show": action({
    says: "shows the days and hours that the shop promises: for a return, to report damage, for a refund, to pack and to deliver an order",
    changes: false,
    run: ({ db }) => show(db),
  }),
  "numbers set": action({
    options: {
      "return-days": "N",
      "damage-hours": "N",
      "refund-days": "N",
      "pack-from": "N",
      "pack-to": "N",
      "nigeria-from": "N",
      "nigeria-to": "N",
      "abroad-from": "N",
      "abroad-to": "N",
    },
    says: `changes the given ones: ${LIMITS.join(", ")}; an empty text brings back what the shop comes with. Orders keep theirs; more time to return or report damage is for all`,
    changes: true,
    async run({ db, by, options }) {
      const given = Object.entries(OPTIONS).flatMap(([option, value]) => {
        const text = options[option as keyof typeof OPTIONS];
        return text === undefined ? [] : [[value, text]];
      });
      if (given.length === 0) throw new BadInput(`Give one of --${Object.keys(OPTIONS).join(", --")}`);
      const read = numberValues.partial().safeParse(Object.fromEntries(given));
      if (!read.success)
        throw wrong(read.error.issues.map(({ path, message }) => `--${optionOf(path[0])}: ${message}`));
      const done = await changeShop(db, by, read.data, await shopValues(db), "numbers set");
      if (!done.ok)
        throw wrong("problems" in done ? Object.values(done.problems) : ["Somebody else has changed it meanwhile."]);
      return show(db);
    },
  }),
};

const optionOf = (value: unknown) => Object.entries(OPTIONS).find(([, one]) => one === value)?.[0];

async function show(db: Db): Promise<Result> {
  const data = ownNumbers(await shopValues(db)) ?? SHIPPED_NUMBERS;
  const { nigeria, abroad } = standardDays(data);
  const lines = [
    `return: ${data.returnDays} days after delivery`,
    `damage: ${data.damageHours} hours after delivery`,
    `refund: ${businessDays(data.refundDays)}`,
    `packing: ${dayRange(packingDays(data))} business days`,
    `within Nigeria: ${dayRange(nigeria)} business days`,
    `abroad: ${dayRange(abroad)} business days`,
  ];
  return { code: 0, data, text: lines.join("\n") };
}

function wrong(problems: string[]): BadInput {
  return new BadInput(["Nothing was changed.", ...problems].join("\n"));
}
