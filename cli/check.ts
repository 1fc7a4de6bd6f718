import { checkInvariants } from "#app/checkout/invariants.server.ts";
import type { Command } from "./command.ts";

export const check: Command = {
  usage: ["check                     money, stock and orders agree: the invariants over the live database"],
  async run(db) {
    const broken = await checkInvariants(db);
    const text = broken.length ? broken.map((one) => JSON.stringify(one)).join("\n") : "Everything agrees.";
    return { code: broken.length ? 1 : 0, data: { broken }, text };
  },
};
