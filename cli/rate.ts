import { rateInForce, storeRate } from "#app/catalog/rates.server.ts";
import { recordChange } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { isPlausible, parseRate, rateText } from "#app/money/exchange-rate.ts";
import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, type Result } from "./command.ts";

export const rate: Actions = {
  "rate show": action({ says: "naira for one dollar, as charged now", changes: false, run: ({ db }) => show(db) }),
  "rate set": action({
    words: ["naira"],
    says: "sets it by hand, like 1534.25",
    changes: true,
    async run({ db, by, confirm, words: { naira } }) {
      const rate = parseRate(naira);
      if (!rate) return badInput(`'${naira}' is no rate: give naira for one dollar, like 1534.25`);
      const { rate: now } = await rateInForce(db);
      if (!isPlausible(rate, now)) {
        const line = `1 USD = ${rateText(now)} NGN -> ${rateText(rate)} NGN, more than 25 % from the last one`;
        await confirm(`${line}\nIs that meant?`);
      }
      await db.transaction().execute(async (trx) => {
        const last = await rateInForce(trx);
        await storeRate(trx, rate, "owner");
        const before = last.stored ? { rate: rateText(last.rate) } : undefined;
        const subject = { kind: "rate", id: "USD-NGN" };
        await recordChange(trx, { by, action: "rate set", subject, before, after: { rate: rateText(rate) } });
      });
      return show(db);
    },
  }),
};

async function show(db: Db): Promise<Result> {
  const { rate, at, stored } = await rateInForce(db);
  const text = `1 USD = ${rateText(rate)} NGN ${stored ? `(since ${shopTimeWithZone(at)})` : "(no rate is stored: the fixed one applies)"}`;
  return { code: 0, data: { rate: rateText(rate), at, stored }, text };
}
