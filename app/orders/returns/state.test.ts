import { expect, test } from "vitest";
import {
  acceptsReturnEvent,
  holdsStock,
  isLiveReturnSql,
  RETURN_STATES,
  type ReturnEvent,
  type ReturnState,
  returnStateAfter,
} from "./state.ts";

const EVENTS: ReturnEvent[] = ["approve", "decline", "withdraw", "receive", "end"];

/** The state after each event; a dot means that the event is not accepted. */
const MAP: Record<ReturnState, string> = {
  //          approve  decline  withdraw  receive  end
  asked: "    approved declined withdrawn .        .",
  approved: " .        declined withdrawn received done",
  declined: " .        .        .         .        .",
  withdrawn: ".        .        .         .        .",
  received: " .        declined .         .        done",
  done: "     .        .        .         .        .",
};

test.each(RETURN_STATES)("from '%s'", (state) => {
  const leads = EVENTS.map((event) => (acceptsReturnEvent(state, event) ? returnStateAfter(event) : "."));
  expect(leads).toEqual(MAP[state].trim().split(/\s+/));
});

test("an exchange holds the other size from the approval until its end, and a return for money holds nothing", () => {
  const holding = (wish: "money" | "exchange") => RETURN_STATES.filter((state) => holdsStock({ wish, state }));
  expect(holding("exchange")).toEqual(["approved", "received"]);
  expect(holding("money")).toEqual([]);
});

test("a return is live until it has ended", () => {
  expect(isLiveReturnSql("r")).toBe("r.state in ('asked', 'approved', 'received')");
});
