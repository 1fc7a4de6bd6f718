import { createHash } from "node:crypto";
import type { Actor } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import type { ShippingTables } from "#app/shipping/document.server.ts";
import { reviewShippingNames, shippingNameLines } from "../shipping-names.ts";
import {
  carryOutShipping,
  isDoubtful,
  lockShippingRates,
  planShipping,
  type ShippingPlan,
} from "../shipping-plan.server.ts";
import { stale } from "../stale.ts";
import { deliveryPlaces, tablesOf } from "./rates.server.ts";
import { placeKey } from "./rates.ts";
import { readRatesSheet, type SheetFault } from "./sheet.server.ts";

/** `isAll`: whether to remove the places that the file does not name. */
export type RatesFile = { text: string; isAll: boolean };
/**
 * The preview of a file. `digest` identifies exactly these changes. `notes` are about harmless things. `isDoubtful`:
 * the changes need a confirmation.
 */
export type RatesImport = ShippingPlan & { faults: SheetFault[]; notes: string[]; isDoubtful: boolean; digest: string };

/** Previews the import of a file. Changes nothing. */
export async function previewRates(on: Db, file: RatesFile): Promise<RatesImport> {
  const { rates: _, ...preview } = await prepare(on, file);
  return preview;
}

/** Imports a file that was previewed. If its changes no longer match the preview's `digest`, nothing is changed. */
export async function importRates(on: Db, by: Actor, { digest, ...file }: RatesFile & { digest: string }) {
  return retryingTransaction(on, async (trx) => {
    await lockShippingRates(trx);
    const { rates, faults, digest: now, ...plan } = await prepare(trx, file);
    const count = plan.added.length + plan.changed.length + plan.dropped.length;
    if (file.isAll && faults.length > 0)
      return {
        ok: false as const,
        problem: "Some rows have mistakes, and their places would be removed. Fix those rows first",
      };
    if (count === 0) return { ok: false as const, problem: "Nothing would change. All of it is already like that" };
    if (now !== digest) return stale({});
    await carryOutShipping(trx, by, "shipping import", rates, plan);
    return { ok: true as const, what: count === 1 ? "1 place changed" : `${count} places changed` };
  });
}

async function prepare(
  on: Db | Transaction,
  { text, isAll }: RatesFile,
): Promise<RatesImport & { rates: ShippingTables }> {
  const { places, faults, notes } = readRatesSheet(text);
  const kept = isAll ? [] : await deliveryPlaces(on);
  const all = new Map([...kept, ...places].map((place) => [placeKey(place), place]));
  const rates = tablesOf([...all.values()]);
  const plan = await planShipping(on, rates);
  const digest = createHash("sha256").update(JSON.stringify(plan)).digest("base64url");
  return {
    ...plan,
    faults,
    notes: [...notes, ...shippingNameLines(reviewShippingNames(rates))],
    isDoubtful: isDoubtful(plan),
    digest,
    rates,
  };
}
