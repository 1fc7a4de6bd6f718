import type { Db } from "#app/infra/db.server.ts";
import { noteBreak } from "./breaks.server.ts";
import type { Broken } from "./invariants.server.ts";
import { listCharges } from "./paystack.server.ts";
import { settlePayment } from "./settle.server.ts";

const DAY = 24 * 3600 * 1000;

export type Review = { ok: true; charges: number; broken: Broken[] } | { ok: false; problem: string };

/**
 * Goes through what the provider has charged in the last days: what the shop had not seen yet is settled; what it knows nothing of (as after an old
 * backup was restored) is written down for a person, whose it is to give back.
 */
export async function reviewCharges(on: Db, days: number): Promise<Review> {
  const since = new Date(Date.now() - days * DAY);
  const broken: Broken[] = [];
  let charges = 0;
  for (let page = 1, more = true; more; page++) {
    const answer = await listCharges(since, page);
    if (!answer.ok)
      return { ok: false, problem: `The payment provider gives no list: ${answer.message || answer.failure}` };
    for (const { reference, amount, currency } of answer.transactions) {
      charges++;
      const { outcome } = await settlePayment(reference, on);
      if (outcome !== "unknown-reference") continue;
      await noteBreak(on, reference, "unknown-reference", { amount, currency });
      broken.push({
        rule: "I3",
        what: `charged ${amount} ${currency}, and the shop knows nothing of it`,
        where: reference,
      });
    }
    more = answer.more;
  }
  return { ok: true, charges, broken };
}
