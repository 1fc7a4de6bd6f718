import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { rateText, readRate } from "#app/money/exchange-rate.ts";
import { setRate } from "#app/owner/money/rate.server.ts";
import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, type Result } from "./command.ts";

export const rate: Actions = {
  "rate show": action({ says: "shows how many naira a dollar costs now", changes: false, run: ({ db }) => show(db) }),
  "rate set": action({
    words: ["naira"],
    says: "sets the exchange rate, like 1534.25",
    changes: true,
    async run({ db, by, confirm, words: { naira } }) {
      const rate = readRate(naira);
      if (!rate) return badInput(`'${naira}' isn't a rate. Give the naira for one dollar, like 1534.25`);
      const done = await setRate(db, by, rate);
      if ("doubt" in done) {
        await confirm(`${done.doubt}\nIs that right?`);
        await setRate(db, by, rate, { agreed: true });
      }
      return show(db);
    },
  }),
};

async function show(db: Db): Promise<Result> {
  const { rate, at, stored } = await rateInForce(db);
  const text = `1 USD = ${rateText(rate)} NGN ${stored ? `(since ${shopTimeWithZone(at)})` : "(none has been set, so the built-in rate applies)"}`;
  return { code: 0, data: { rate: rateText(rate), at, stored }, text };
}
