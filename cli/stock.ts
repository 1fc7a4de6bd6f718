import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { changeStock, listStock, type StockRow } from "#app/owner/catalog/stock.server.ts";
import { doubtOfStock } from "#app/owner/doubts.ts";
import { type Actions, action, badInput, type Context, type Result } from "./command.ts";

export const stock: Actions = {
  "stock show": action({
    words: ["[id]"],
    options: { below: "N" },
    says: "shows what's in stock, and how much of it is reserved for payments under way; --below: sizes with fewer than N",
    changes: false,
    run: ({ db, words: { id }, options: { below } }) => show(db, id, below),
  }),
  "stock set": action({
    words: ["id", "size", "n"],
    options: { was: "M", reason: "TEXT" },
    says: "sets the stock of a size to N; --was: only if it was M",
    changes: true,
    async run({ words: { id, size, n }, options: { was, reason }, ...hand }) {
      const [after, expected] = [unitsOf(n), was === undefined ? undefined : unitsOf(was)];
      return change(hand, { action: "stock set", id, size, reason }, () => after, expected);
    },
  }),
  "stock add": action({
    words: ["id", "size", "n"],
    options: { reason: "TEXT" },
    says: "adds N to the stock of a size, like +5 or -5",
    changes: true,
    async run({ words: { id, size, n }, options: { reason }, ...hand }) {
      if (!/^[+-]?\d{1,6}$/.test(n) || Number(n) === 0)
        return badInput(`'${n}' isn't a number of pieces, like +5 or -5`);
      return change(hand, { action: "stock add", id, size, reason }, (onHand) => onHand + Number(n));
    },
  }),
};

function unitsOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new BadInput(`'${text}' isn't a number of pieces`);
  return Number(text);
}

type What = { action: string; id: string; size: string; reason?: string };

/**
 * Changes the stock of a size. `was` is the number that the owner expects in stock; any other number refuses the
 * change. A confirmed change is done only if the stock is still the number for which the owner confirmed it.
 */
async function change(
  { db, by, confirm }: Context,
  what: What,
  target: (onHand: number) => number,
  was?: number,
): Promise<Result> {
  const { id, size } = what;
  const now = (await listStock(db, { id })).find((row) => row.size === size)?.onHand;
  const doubts = now === undefined ? [] : doubtOfStock(`${id} ${size}`, now, target(now));
  const isAsked = doubts.length > 0 && (was === undefined || was === now);
  if (isAsked) await confirm(`${doubts.join("\n")}\nIs that right?`);
  const done = await changeStock(db, { by, ...what, target, was: isAsked ? now : was });
  if (!done.ok) return badInput(done.problem);
  const { before, after } = done;
  return {
    code: 0,
    data: { id, size, was: before, onHand: after },
    text: `${id} ${size}: ${before} -> ${after} in stock`,
  };
}

async function show(db: Db, id: string | undefined, below: string | undefined): Promise<Result> {
  const rows = await listStock(db, { id, below: below === undefined ? undefined : unitsOf(below) });
  if (rows.length === 0 && id !== undefined && (await listStock(db, { id })).length === 0)
    return badInput(`There’s no product '${id}'`);
  return { code: 0, data: { stock: rows }, text: [...rows.map(stockLine), `${rows.length} sizes`].join("\n") };
}

function stockLine({ id, size, title, onHand, held, hidden }: StockRow): string {
  const notes = [held > 0 ? `${held} reserved` : "", hidden ? "hidden" : ""].filter(Boolean).join(", ");
  return `${String(onHand).padStart(6)}  ${size.padEnd(4)} ${id}  ${title}${notes && `  (${notes})`}`;
}
