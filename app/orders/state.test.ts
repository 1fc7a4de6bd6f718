import { expect, test } from "vitest";
import { isLive, stateAfter, statesThatAccept } from "./state.ts";

test.each([
  ["wait", ["open", "waiting"], "waiting"],
  ["release", ["open", "waiting"], "released"],
  ["sell", ["open", "waiting", "released"], "sold"],
  ["refund", ["open", "waiting", "released", "sold"], "refunding"],
  ["refunded", ["open", "waiting", "released", "sold", "refunding"], "refunded"],
] as const)("%s leads from %j to %s and from nowhere else", (event, from, to) => {
  expect(statesThatAccept(event)).toEqual(from);
  expect(stateAfter(event)).toBe(to);
});

test("only open and waiting orders hold stock", () => {
  const states = ["open", "waiting", "released", "sold", "refunding", "refunded"] as const;
  expect(states.filter(isLive)).toEqual(["open", "waiting"]);
});
