import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { numberReceipts } from "#app/owner/receipts/number.server.ts";
import { changeReceipts, receiptSettings } from "#app/owner/receipts/settings.server.ts";
import type { ReceiptWish } from "#app/owner/receipts/settings.ts";
import { OFFICE } from "./returns.ts";

/** What stands on the receipts of tests. */
export const RECEIPTS: ReceiptWish = {
  isOn: true,
  seller: "Irepo Clothing Limited",
  address: "41 Adeniran Ogunsanya Street\nSurulere, Lagos",
  tin: "01234567-0001",
  showsVat: true,
};

/** Switches receipts on, or changes what stands on them. */
export async function setReceipts(on: Db, change: Partial<ReceiptWish> = {}): Promise<void> {
  const { version } = await receiptSettings(on);
  const { ok } = await changeReceipts(on, OFFICE, { ...RECEIPTS, ...change }, version);
  if (!ok) throw new Error("Somebody else has changed the receipts");
}

/** Draws all numbers that are due, as the worker does. */
export async function numberAll(on: Db): Promise<void> {
  const failed = new Set<string>();
  while ((await numberReceipts(on, failed)) > 0);
}

/** Makes the shop one that has never had receipts. */
export async function forgetReceipts(on: Db): Promise<void> {
  for (const table of ["receipts_due", "credit_notes", "receipts", "receipt_settings", "vat_rates"])
    await sql`delete from ${sql.table(table)}`.execute(on);
}
