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
import { deliveryPlaces, tablesOf } from "./rates.server.ts";
import { placeKey } from "./rates.ts";
import { readRatesSheet, type SheetFault } from "./sheet.server.ts";

/** `isAll`: what the file does not name is delivered to no more; otherwise it stays. */
export type RatesFile = { text: string; isAll: boolean };
/** What would come of a file. `digest` names exactly these changes; `notes` are about what is no mistake; `isDoubtful`: it is to be asked about. */
export type RatesImport = ShippingPlan & { faults: SheetFault[]; notes: string[]; isDoubtful: boolean; digest: string };

/** What would come of a file; nothing is changed. */
export async function previewRates(on: Db, file: RatesFile): Promise<RatesImport> {
  const { rates: _, ...preview } = await prepare(on, file);
  return preview;
}

/** Imports a file as its preview has said: `digest` is that of the preview, and other changes than those are none at all. */
export async function importRates(on: Db, by: Actor, { digest, ...file }: RatesFile & { digest: string }) {
  return retryingTransaction(on, async (trx) => {
    await lockShippingRates(trx);
    const { rates, faults, digest: now, ...plan } = await prepare(trx, file);
    const count = plan.added.length + plan.changed.length + plan.dropped.length;
    if (file.isAll && faults.length > 0)
      return {
        ok: false as const,
        problem: "Some rows have a mistake, and their places would be gone: mend them first",
      };
    if (count === 0) return { ok: false as const, problem: "Nothing of it is new: all is so already" };
    if (now !== digest) return { ok: false as const, meanwhile: "The rates have changed meanwhile" };
    await carryOutShipping(trx, by, "shipping import", rates, plan);
    return { ok: true as const, what: count === 1 ? "1 place is changed" : `${count} places are changed` };
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
