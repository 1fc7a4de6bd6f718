import type { Status } from "#app/owner/status.server.ts";

/** The age of the exchange rate in days from which it needs attention: it is normally updated every day. */
const OLD_RATE = 3;

/** What a member may see of what waits. `rateAge` is in days, undefined if no rate was set. */
export type Seen = {
  toSend?: { orders: number };
  nearlyOut?: { count: number };
  details?: Pick<Status, "toLookInto" | "returns" | "mails"> & { rateAge?: number };
};

/** The number of each task of the screen Today: 0 if nothing waits, undefined if the member may not see it. */
export function tasksOf({ toSend, nearlyOut, details }: Seen) {
  return {
    payments: details?.toLookInto.payments,
    orders: toSend?.orders,
    overdue: details?.returns.overdue,
    returns: details && details.returns.asked + details.returns.toEnd,
    sizes: nearlyOut?.count,
    waitingMails: details?.mails.waiting.count,
    lostMails: details && details.mails.givenUp + details.mails.refused,
    rate: details && (details.rateAge === undefined || details.rateAge >= OLD_RATE ? 1 : 0),
  };
}

/** How many of the tasks are open. */
export const openTasks = (seen: Seen) => Object.values(tasksOf(seen)).filter(Boolean).length;
