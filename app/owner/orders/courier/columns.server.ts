import { isDeepStrictEqual } from "node:util";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { lockShopSettings } from "../../shop/settings.server.ts";
import { type Stale, stale } from "../../stale.ts";
import { type CourierColumn, courierColumns, USUAL_COLUMNS } from "./columns.ts";

/** The columns of the courier's file, as the owner has chosen them. */
export async function readCourierColumns(on: Db | Transaction): Promise<CourierColumn[]> {
  const row = await on.selectFrom("shopSettings").select("courierColumns").executeTakeFirst();
  return courierColumns.catch(USUAL_COLUMNS).parse(row?.courierColumns);
}

/** Stores the columns for later files. Stale unless the stored ones equal `was`. Safe to repeat. */
export function keepCourierColumns(
  on: Db,
  by: Actor,
  wanted: CourierColumn[],
  was: unknown,
): Promise<{ ok: true } | Stale> {
  return retryingTransaction(on, async (trx) => {
    await lockShopSettings(trx);
    const now = await readCourierColumns(trx);
    if (isDeepStrictEqual(now, wanted)) return { ok: true };
    if (!isDeepStrictEqual(now, was)) return stale({});
    await trx
      .updateTable("shopSettings")
      .set({ courierColumns: JSON.stringify(wanted) })
      .execute();
    const subject = { kind: "shop", id: "courier" };
    const [before, after] = [now, wanted].map((columns) => ({ columns: columns.map(({ heading }) => heading) }));
    await recordChange(trx, { by, action: "courier set", subject, before, after });
    return { ok: true };
  });
}
