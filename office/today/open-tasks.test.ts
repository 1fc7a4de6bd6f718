import { expect, test } from "vitest";
import { openTasks, type Seen } from "./open-tasks.ts";

const details = {
  toLookInto: { payments: 0, oldest: null },
  returns: { asked: 0, toEnd: 0, overdue: 0, oldest: null, oldestOverdue: null },
  toGive: { orders: 0, overdue: 0, oldest: null, first: [] },
  mails: { givenUp: 0, refused: 0, oldest: null, waiting: { count: 0, since: null, error: null } },
  rateAge: 0,
};

test.each<[string, Seen, number]>([
  ["nothing waits", { toSend: { orders: 0 }, nearlyOut: { count: 0 }, details }, 0],
  ["many orders are one task", { toSend: { orders: 12 }, details }, 1],
  ["orders and sizes are two", { toSend: { orders: 1 }, nearlyOut: { count: 5 }, details }, 2],
  [
    "a late return is one, and waits itself",
    { details: { ...details, returns: { ...details.returns, toEnd: 1, overdue: 1 } } },
    2,
  ],
  [
    "money to give back by hand is one",
    { details: { ...details, toGive: { ...details.toGive, orders: 2, overdue: 1 } } },
    1,
  ],
  [
    "emails given up and refused are one",
    { details: { ...details, mails: { ...details.mails, givenUp: 1, refused: 2 } } },
    1,
  ],
  ["queues that are still open are one", { openQueues: [{}, {}] }, 1],
  ["a rate of two days is none", { details: { ...details, rateAge: 2 } }, 0],
  ["a rate of three days is one", { details: { ...details, rateAge: 3 } }, 1],
  ["a rate that was never set is one", { details: { ...details, rateAge: undefined } }, 1],
  ["what a member may not see is none", {}, 0],
])("%s", (_, seen, count) => {
  expect(openTasks(seen)).toBe(count);
});
