import { setStock } from "#app/catalog/catalog.server.ts";
import { transact } from "#app/infra/db.server.ts";
import { recordChange } from "#app/owner/audit.server.ts";
import { type Actions, action, badInput } from "./command.ts";

export const stock: Actions = {
  "stock set": action({
    words: ["id", "size", "n"],
    says: "N units of this size lie on the shelf now",
    changes: true,
    async run({ db, by, words: { id, size, n } }) {
      if (!/^\d{1,6}$/.test(n)) return badInput(`'${n}' is no number of units`);
      const onHand = Number(n);
      const set = await transact(db, async (trx) => {
        const set = await setStock(trx, id, size, onHand);
        const subject = { kind: "stock", id: `${id} ${size}` };
        if (set.ok) await recordChange(trx, { by, action: "stock set", subject, after: { onHand } });
        return set;
      });
      if (!set.ok) return badInput(set.problem);
      return { code: 0, data: { id, size, onHand }, text: `${id} ${size}: ${n} on the shelf` };
    },
  }),
};
