import { setStock } from "#app/catalog/catalog.server.ts";
import { badInput, type Command } from "./command.ts";

export const stock: Command = {
  usage: ["stock set ID SIZE N       N units of this size lie on the shelf now"],
  async run(db, [action, id = "", size = "", units = ""]) {
    if (action !== "set") return badInput("Say 'stock set ID SIZE N'");
    if (!/^\d{1,6}$/.test(units)) return badInput(`'${units}' is no number of units`);
    const set = await setStock(db, id, size, Number(units));
    if (!set.ok) return badInput(set.problem);
    return { code: 0, data: { id, size, onHand: Number(units) }, text: `${id} ${size}: ${units} on the shelf` };
  },
};
