import { formatSignedKobo } from "#app/money/format.ts";
import { koboFromNaira } from "#app/money/money.ts";
import { countTill, readTill, type TillCount, verdictOn } from "#app/owner/money/till.server.ts";
import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput } from "./command.ts";

export const takings: Actions = {
  "takings till": action({
    words: [],
    says: "what should be in the till, and the last counts",
    changes: false,
    async run({ db }) {
      const till = await readTill(db);
      if (!till) return { code: 0, data: null, text: "No order has been paid in cash." };
      const lines = [`There should be ${formatSignedKobo(till.expected)}.`, ...till.counts.map(countLine)];
      return { code: 0, data: till, text: lines.join("\n") };
    },
  }),
  "takings count": action({
    words: ["naira"],
    says: "writes down how much cash is in the till, like 45000, beside what should be there",
    changes: true,
    async run({ db, by, words: { naira } }) {
      const counted = koboFromNaira(naira);
      if (counted === undefined) return badInput(`'${naira}' is no sum in naira, like 45000`);
      const count = await countTill(db, by, counted);
      return { code: 0, data: count, text: countLine(count) };
    },
  }),
};

function countLine(count: TillCount): string {
  const [counted, expected] = [count.counted, count.expected].map(formatSignedKobo);
  return `${shopTimeWithZone(count.at)}  ${count.by}  counted ${counted}, expected ${expected}: ${verdictOn(count)}`;
}
