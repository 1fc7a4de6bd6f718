import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { reviewProvider } from "#app/owner/provider-review.server.ts";
import { longWorks, type OnProgress } from "../http/long-work.server.ts";

/** A payment with a finding. `isFault` marks a finding that needs action. */
export type ReviewRow = { reference: string; says: string; isFault?: boolean };

const works = longWorks<ReviewRow>({ most: 20 });
export const findReview = works.find;

/**
 * Starts a comparison of the last days' payments with the provider's, and records it in the audit log. If the member's
 * comparison of as many days is running, it is used instead. Returns the task's id.
 */
export async function beginReview(on: Db, by: Actor, staffId: string, days: number): Promise<string> {
  const isWanted = { by, action: "check --provider", subject: { kind: "payments", id: "all" }, after: { days } };
  const compare = async (onProgress: OnProgress<ReviewRow>) => {
    await retryingTransaction(on, (trx) => recordChange(trx, isWanted));
    let reviewed = 0;
    const review = await reviewProvider(on, days, ({ reference, says }, known) =>
      onProgress(++reviewed, known, says === undefined ? undefined : { reference, says }),
    );
    const faults = review.ok
      ? review.broken.map(({ where, what, todo }) => ({ reference: where, says: `${what}. ${todo}` }))
      : [{ reference: "", says: review.problem }];
    for (const fault of faults) onProgress(reviewed, reviewed, { ...fault, isFault: true });
  };
  return works.underWay(staffId, days) ?? works.begin(staffId, compare, { asked: days });
}
