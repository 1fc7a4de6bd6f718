import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { parseRate, rateText } from "#app/money/exchange-rate.ts";
import { setRate } from "#app/owner/money/rate.server.ts";
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
      const done = await setRate(db, by, rate);
      if ("doubt" in done) {
        await confirm(`${done.doubt}\nIs that meant?`);
        await setRate(db, by, rate, { agreed: true });
      }
      return show(db);
    },
  }),
};

async function show(db: Db): Promise<Result> {
  const { rate, at, stored } = await rateInForce(db);
  const text = `1 USD = ${rateText(rate)} NGN ${stored ? `(since ${shopTimeWithZone(at)})` : "(no rate is stored: the fixed one applies)"}`;
  return { code: 0, data: { rate: rateText(rate), at, stored }, text };
}
