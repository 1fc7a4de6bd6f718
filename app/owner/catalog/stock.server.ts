import { type StockChange, setStock } from "#app/catalog/catalog.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";

type Size = { id: string; size: string };
type Change = Size & {
  by: Actor;
  action: string;
  /** The new number in stock, given the one now. */
  target: (onHand: number) => number;
  /** Changed only where so many are in stock still. */
  was?: number;
  reason?: string;
};

/** Changes what is in stock of a size and records why. */
export async function changeStock(on: Db, { by, action, id, size, target, was, reason }: Change): Promise<StockChange> {
  return retryingTransaction(on, async (trx) => {
    const now = await trx
      .selectFrom("productSizes")
      .select("onHand")
      .where("productId", "=", id)
      .where("size", "=", size)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (now && was !== undefined && now.onHand !== was)
      return {
        ok: false,
        problem: `${now.onHand} of ${id} ${size} are in stock now, not ${was}: nothing was changed`,
      };
    const done = await setStock(trx, id, size, target);
    if (!done.ok) return done;
    const subject = { kind: "product", id };
    const [before, after] = [{ sizes: { [size]: done.before } }, { sizes: { [size]: done.after }, reason }];
    await recordChange(trx, { by, action, subject, before, after });
    return done;
  });
}

export type StockRow = Size & { title: string; onHand: number; held: number; sold: number; hidden: boolean };

/** What is in stock, what of it is reserved, and what has been sold; of one product, or below a number. */
export async function listStock(on: Db, { id, below }: { id?: string; below?: number }): Promise<StockRow[]> {
  return on
    .selectFrom("productSizes")
    .innerJoin("products", "products.id", "productId")
    .select(["products.id", "title", "size", "onHand", "reserved as held", "sold", "hidden"])
    .$if(id !== undefined, (query) => query.where("products.id", "=", id ?? ""))
    .$if(below !== undefined, (query) => query.where("onHand", "<", below ?? 0))
    .orderBy("position")
    .orderBy("products.id")
    .orderBy("size")
    .execute();
}
