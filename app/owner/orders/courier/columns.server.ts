import { isDeepStrictEqual } from "node:util";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { lockShopSettings } from "../../shop/settings.server.ts";
import { type CourierColumn, courierColumns, USUAL_COLUMNS } from "./columns.ts";

/** The columns of the courier's file, as the owner has chosen them. */
export async function readCourierColumns(on: Db | Transaction): Promise<CourierColumn[]> {
  const row = await on.selectFrom("shopSettings").select("courierColumns").executeTakeFirst();
  return courierColumns.catch(USUAL_COLUMNS).parse(row?.courierColumns);
}

/**
 * Stores the columns for the next files. If somebody else has changed them since `was`, `isStale` is true and nothing
 * is stored. Safe to repeat.
 */
export function keepCourierColumns(
  on: Db,
  by: Actor,
  wanted: CourierColumn[],
  was: unknown,
): Promise<{ isStale: boolean }> {
  return retryingTransaction(on, async (trx) => {
    await lockShopSettings(trx);
    const now = await readCourierColumns(trx);
    if (isDeepStrictEqual(now, wanted)) return { isStale: false };
    if (!isDeepStrictEqual(now, was)) return { isStale: true };
    await trx
      .updateTable("shopSettings")
      .set({ courierColumns: JSON.stringify(wanted) })
      .execute();
    const subject = { kind: "shop", id: "courier" };
    const [before, after] = [now, wanted].map((columns) => ({ columns: columns.map(({ heading }) => heading) }));
    await recordChange(trx, { by, action: "courier set", subject, before, after });
    return { isStale: false };
  });
}
