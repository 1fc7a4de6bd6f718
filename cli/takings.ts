import { formatKobo } from "#app/money/format.ts";
import { kobo, koboFromNaira } from "#app/money/money.ts";
import { countTill, difference, readTill, type TillCount } from "#app/owner/money/till.server.ts";
import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput } from "./command.ts";

export const takings: Actions = {
  "takings count": action({
    words: ["[naira]"],
    says: "writes down how much cash is in the till, like 45000, beside what should be there; without a sum it shows the last counts",
    changes: true,
    async run({ db, by, words: { naira } }) {
      if (naira === undefined) {
        const till = await readTill(db);
        if (!till) return { code: 0, data: null, text: "No order has been paid in cash." };
        const lines = [`There should be ${sum(till.expected)}.`, ...till.counts.map(countLine)];
        return { code: 0, data: till, text: lines.join("\n") };
      }
      const counted = koboFromNaira(naira);
      if (counted === undefined) return badInput(`'${naira}' is no sum in naira, like 45000`);
      const done = await countTill(db, by, { counted });
      if (!done.ok) throw new Error("A count that has seen nothing is never refused");
      return { code: 0, data: done.count, text: countLine(done.count) };
    },
  }),
};

const sum = (value: number) => `${value < 0 ? "−" : ""}${formatKobo(kobo(Math.abs(value)))}`;

function countLine(count: TillCount): string {
  const { expected, counted, by, at } = count;
  const off = difference(count);
  const verdict = off === 0 ? "right" : `${sum(Math.abs(off))} too ${off < 0 ? "little" : "much"}`;
  return `${shopTimeWithZone(at)}  ${by}  counted ${sum(counted)}, expected ${sum(expected)}: ${verdict}`;
}
