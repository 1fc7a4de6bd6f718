import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { lockNumbers } from "#app/orders/receipts/lock.server.ts";
import { vatText } from "#app/orders/receipts/receipt.ts";
import { shopDay } from "../shop-time.server.ts";
import { type Stale, stale } from "../stale.ts";
import { numberDue } from "./number.server.ts";
import type { ReceiptSettings, ReceiptWish, VatRate } from "./settings.ts";

const NONE: ReceiptSettings = {
  isOn: false,
  seller: "",
  address: "",
  tin: "",
  showsVat: true,
  since: null,
  version: 0,
};

export async function receiptSettings(on: Db | Transaction): Promise<ReceiptSettings> {
  const row = await on.selectFrom("receiptSettings").selectAll().executeTakeFirst();
  if (!row) return NONE;
  const { isOnly: _, ...settings } = row;
  return { ...settings, isOn: settings.since !== null };
}

/**
 * Changes the settings of receipts. Sales get numbers from the moment at which receipts are switched on. Switching them
 * off first numbers what is due; later refunds get their credit notes once receipts are on again. Stale unless `seen`
 * is the current version. `version`: the one after the call. Safe to repeat.
 */
export function changeReceipts(
  on: Db,
  by: Actor,
  wish: ReceiptWish,
  seen: number,
): Promise<{ ok: true; version: number } | Stale<{ version: number }>> {
  return retryingTransaction(on, async (trx) => {
    await lockNumbers(trx);
    const { version, since: _, ...now } = await receiptSettings(trx);
    if (isDeepStrictEqual(now, wish)) return { ok: true, version };
    if (version !== seen) return stale({ version });
    const { isOn, ...values } = wish;
    const failed = new Set<string>();
    if (now.isOn && !isOn) while ((await numberDue(trx, failed)) > 0);
    await trx
      .insertInto("receiptSettings")
      .defaultValues()
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const since = isOn ? sql<Date>`clock_timestamp()` : null;
    await trx
      .updateTable("receiptSettings")
      .set({ ...values, version: version + 1, ...(isOn !== now.isOn && { since }) })
      .execute();
    const subject = { kind: "shop", id: "receipts" };
    await recordChange(trx, { by, action: "receipts set", subject, before: now, after: wish });
    return { ok: true, version: version + 1 };
  });
}

/** Sets the rate of VAT from a day on, in place of another one from the same day. Safe to repeat. */
export function setVatRate(on: Db, by: Actor, { fromDay, tenths }: VatRate): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    await lockNumbers(trx);
    const before = await rateFrom(trx, fromDay);
    if (before?.tenths === tenths) return;
    await trx
      .insertInto("vatRates")
      .values({ fromDay, tenths })
      .onConflict((conflict) => conflict.column("fromDay").doUpdateSet({ tenths }))
      .execute();
    await recordRate(trx, by, fromDay, before?.tenths, tenths);
  });
}

/** Removes a rate whose day is still to come. Returns whether there was one. */
export function removeVatRate(on: Db, by: Actor, fromDay: string): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    await lockNumbers(trx);
    const before = await rateFrom(trx, fromDay);
    if (!before || fromDay <= shopDay()) return false;
    await trx.deleteFrom("vatRates").where("fromDay", "=", fromDay).execute();
    await recordRate(trx, by, fromDay, before.tenths, undefined);
    return true;
  });
}

function rateFrom(trx: Transaction, fromDay: string): Promise<{ tenths: number } | undefined> {
  return trx.selectFrom("vatRates").select("tenths").where("fromDay", "=", fromDay).executeTakeFirst();
}

function recordRate(trx: Transaction, by: Actor, from: string, before?: number, after?: number): Promise<void> {
  const side = (tenths: number | undefined) => (tenths === undefined ? undefined : { from, rate: vatText(tenths) });
  const subject = { kind: "shop", id: "vat" };
  return recordChange(trx, { by, action: "vat set", subject, before: side(before), after: side(after) });
}
