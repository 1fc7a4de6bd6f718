import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { rateText, readRate } from "#app/money/exchange-rate.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { setRate } from "#app/owner/money/rate.server.ts";
import {
  currentHold,
  holdRate,
  MOST_DAYS_HELD,
  type RateHold,
  releaseRate,
} from "#app/owner/money/rate-hold.server.ts";
import { endOfDay, momentAfter, shopTimeWithZone } from "#app/owner/shop-time.server.ts";
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
  "rate hold": action({
    words: ["until"],
    says: `holds the rate in force to the end of a day like 2026-12-24 or a minute like 2026-12-24T18:00, at most ${MOST_DAYS_HELD} days: until then, what RATES_URL gives changes no price. A rate that you set ends it`,
    changes: true,
    async run({ db, by, words: { until } }) {
      const end = endOfDay(until) ?? momentAfter(until);
      if (!end) return badInput(`'${until}' is no day like 2026-12-24, and no minute like 2026-12-24T18:00`);
      const done = await holdRate(db, by, end);
      return done.ok ? show(db) : badInput(done.problem);
    },
  }),
  "rate release": action({
    says: "ends the hold: the newest rate of RATES_URL is in force, or the held one until you set another",
    changes: true,
    run: async ({ db, by }) => ((await releaseRate(db, by)) ? show(db) : badInput("No rate is held")),
  }),
};

async function show(db: Db): Promise<Result> {
  const { rate, at, stored } = await rateInForce(db);
  const text = `1 USD = ${rateText(rate)} NGN ${stored ? `(since ${shopTimeWithZone(at)})` : "(none has been set, so the built-in rate applies)"}`;
  const held = await currentHold(db);
  const data = { rate: rateText(rate), at, stored, ...(held && { held: { ...held, ...rateTexts(held) } }) };
  return { code: 0, data, text: held ? `${text}\n${heldText(held)}` : text };
}

const rateTexts = ({ rate, market }: RateHold) => ({
  rate: rateText(rate),
  ...(market !== undefined && { market: rateText(market) }),
});

function heldText({ until, by, market, costKobo }: RateHold): string {
  const held = `Held until ${shopTimeWithZone(until)}${by ? ` by ${by}` : ""}.`;
  if (market === undefined) return held;
  const sum = formatKobo(kobo(Math.abs(costKobo)));
  const what = costKobo < 0 ? `brought ${sum} more` : `cost ${sum}`;
  return `${held} The service gives ${rateText(market)} NGN now; so far the hold has ${what}.`;
}
