import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { reviewProvider } from "#app/owner/provider-review.server.ts";
import { longWorks, type OnProgress } from "../http/long-work.server.ts";

/** A payment of which there is something to tell; `isFault` where somebody has to do something. */
export type ReviewRow = { reference: string; says: string; isFault?: boolean };

const works = longWorks<ReviewRow>({ most: 20 });
export const findReview = works.find;

/** Begins to compare the payments of the last days with the provider's, unless they have begun that already for as many days, and writes down who wanted it. The id of the work. */
export async function beginReview(on: Db, by: Actor, staffId: string, days: number): Promise<string> {
  const isWanted = { by, action: "check --provider", subject: { kind: "payments", id: "all" }, after: { days } };
  const compare = async (onProgress: OnProgress<ReviewRow>) => {
    await retryingTransaction(on, (trx) => recordChange(trx, isWanted));
    let looked = 0;
    const review = await reviewProvider(on, days, ({ reference, says }, known) =>
      onProgress(++looked, known, says === undefined ? undefined : { reference, says }),
    );
    const faults = review.ok
      ? review.broken.map(({ where, what, todo }) => ({ reference: where, says: `${what}. ${todo}` }))
      : [{ reference: "", says: review.problem }];
    for (const fault of faults) onProgress(looked, looked, { ...fault, isFault: true });
  };
  return works.underWay(staffId, days) ?? works.begin(staffId, compare, { asked: days });
}
