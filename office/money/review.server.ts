import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { reviewProvider } from "#app/owner/provider-review.server.ts";
import { longWorks } from "../http/long-work.server.ts";

/** A payment that was looked at; `says` where there is something to tell of it, `isFault` where somebody has to do something. */
export type ReviewRow = { reference: string; says?: string; isFault?: boolean };

const works = longWorks<ReviewRow>({ most: 20 });
export const findReview = works.find;

/** Begins to compare the payments of the last days with the provider's, unless they have begun that already for as many days, and writes down who wanted it. The id of the work. */
export async function beginReview(on: Db, by: Actor, staffId: string, days: number): Promise<string> {
  const isWanted = { by, action: "check --provider", subject: { kind: "payments", id: "all" }, after: { days } };
  const compare = async (onEach: (row: ReviewRow, all: number) => void) => {
    await retryingTransaction(on, (trx) => recordChange(trx, isWanted));
    const review = await reviewProvider(on, days, onEach);
    if (!review.ok) return onEach({ reference: "", says: review.problem, isFault: true }, 0);
    for (const { where, what, todo } of review.broken)
      onEach({ reference: where, says: `${what}. ${todo}`, isFault: true }, review.charges);
  };
  return works.underWay(staffId, days) ?? works.begin(staffId, compare, { asked: days });
}
