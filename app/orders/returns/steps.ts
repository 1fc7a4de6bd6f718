import { longDate } from "#app/ui/long-date.ts";
import type { Step } from "../fulfilment/progress.ts";
import { sentText } from "./exchange.ts";
import type { OrderReturn } from "./return.ts";

/** The steps of a return. A declined or withdrawn one ends with that step. */
export function returnSteps(given: OrderReturn): Step[] {
  const { state, wish, sendBack, askedAt, decidedAt, receivedAt, endedAt } = given;
  const isMoney = wish === "money";
  const steps = [
    { time: askedAt, done: "Asked for", ahead: "Asked for" },
    // A return that is declined at once has the same time for its decision and its end.
    { time: decidedAt === endedAt ? null : decidedAt, done: "Approved", ahead: "We look at it" },
    ...(sendBack ? [{ time: receivedAt, done: "Back with us", ahead: "You send it back" }] : []),
    {
      time: state === "done" ? endedAt : null,
      done: isMoney ? "Money given back" : "Exchange sent",
      ahead: isMoney ? "We give the money back" : `We send the ${sentText(given.pieces)}`,
    },
  ];
  const ended = state === "declined" || state === "withdrawn";
  const past = steps.filter(({ time }) => time !== null);
  if (ended)
    return [
      ...past.map(({ time, done }) => step(done, time, "past")),
      step(state === "declined" ? "Declined" : "Withdrawn", endedAt, "past"),
    ];
  return steps.map(({ time, done, ahead }, at) => {
    if (time !== null || at < past.length) return step(done, time, "past");
    return step(ahead, null, at === past.length ? "now" : "ahead");
  });
}

function step(name: string, time: string | null, is: Step["is"]): Step {
  return { name, text: time ? longDate(new Date(time)) : "", is };
}
