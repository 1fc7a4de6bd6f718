import { rateInForce, storeRate } from "#app/catalog/rates.server.ts";
import { parseRate, rateText } from "#app/money/exchange-rate.ts";
import { badInput, type Command } from "./command.ts";

export const rate: Command = {
  usage: [
    "rate show                 naira for one dollar, as charged now",
    "rate set 1534.25          sets it by hand",
  ],
  async run(db, [action, value]) {
    if (action === "set") {
      const parsed = parseRate(value ?? "");
      if (!parsed) return badInput(`'${value ?? ""}' is no rate: give naira for one dollar, like 1534.25`);
      await storeRate(db, parsed, "owner");
    } else if (action !== "show") return badInput("Say 'rate show' or 'rate set 1534.25'");
    const { rate, at, stored } = await rateInForce(db);
    const text = `1 USD = ${rateText(rate)} NGN ${stored ? `(since ${at.toISOString()})` : "(no rate is stored: the fixed one applies)"}`;
    return { code: 0, data: { rate: rateText(rate), at, stored }, text };
  },
};
