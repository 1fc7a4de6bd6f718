import type { Status } from "#app/owner/status.server.ts";

/** The age of the exchange rate in days from which it needs attention: it is normally updated every day. */
const OLD_RATE = 3;

/** The open tasks that a member may see. `rateAge` is in days, undefined if no rate was set. */
export type Seen = {
  toSend?: { orders: number };
  nearlyOut?: { count: number };
  lockedLinks?: string[];
  openQueues?: unknown[];
  details?: Pick<Status, "toLookInto" | "returns" | "toGive" | "mails"> & { rateAge?: number };
};

/** The number of open tasks of each kind. 0 if nothing waits, undefined if the member may not see the kind. */
export function tasksOf({ toSend, nearlyOut, lockedLinks, openQueues, details }: Seen) {
  return {
    payments: details?.toLookInto.payments,
    orders: toSend?.orders,
    lockedLinks: lockedLinks?.length,
    overdue: details?.returns.overdue,
    toGive: details?.toGive.orders,
    returns: details && details.returns.asked + details.returns.toEnd,
    sizes: nearlyOut?.count,
    queues: openQueues?.length,
    waitingMails: details?.mails.waiting.count,
    lostMails: details && details.mails.givenUp + details.mails.refused,
    rate: details && (details.rateAge === undefined || details.rateAge >= OLD_RATE ? 1 : 0),
  };
}

/** The number of kinds that have open tasks. */
export const openTasks = (seen: Seen) => Object.values(tasksOf(seen)).filter(Boolean).length;
