import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Company, Lane } from "./lane.server.ts";
import { LoopTime } from "./loop-time.server.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const WIDTH = { each: 2, all: 4, mayWait: 2000, waitEach: 2, waitAll: 3, share: 1 / 3 };
const here = new AbortController().signal;

/** A lane with a clock of the event loop that the test sets. */
function laneAtWork(isAlone = false) {
  let atWork = 0;
  const lane = new Lane(WIDTH, new LoopTime(() => atWork), () => isAlone);
  const take = (ms: number) => {
    const leave = lane.enter("a");
    atWork += ms;
    leave?.();
    return leave !== undefined;
  };
  return { lane, take };
}

test("3 a guest that has used much of the event loop's time pauses until its share is kept, and nobody else does", async () => {
  const { lane, take } = laneAtWork();
  expect(take(560)).toBe(true);
  expect(lane.enter("a")).toBeUndefined();
  expect(lane.enter("b")).toBeDefined();
  const turn = lane.wait("a", here);
  await vi.advanceTimersByTimeAsync(160);
  expect(lane.counts.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(60);
  expect(await turn).toBeTypeOf("function");
});

test("3 one very long request costs a pause of three seconds, not minutes", async () => {
  const { lane, take } = laneAtWork();
  take(60_000);
  await vi.advanceTimersByTimeAsync(2900);
  expect(lane.enter("a")).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(lane.enter("a")).toBeDefined();
});

test("3 a guest that is alone never pauses", () => {
  const { lane, take } = laneAtWork(true);
  for (let times = 0; times < 10; times++) expect(take(1000)).toBe(true);
  expect(lane.enter("a")).toBeDefined();
});

test("3 simultaneous requests share the time that is used meanwhile", () => {
  let atWork = 0;
  const time = new LoopTime(() => atWork);
  const first = time.begin();
  atWork += 10;
  const second = time.begin();
  atWork += 10;
  expect(first()).toBe(15);
  atWork += 10;
  expect(second()).toBe(15);
  atWork += 10;
  const third = time.begin();
  atWork += 1;
  expect(third()).toBe(1);
});

test("3 the number of waiting requests is limited, for one guest and in all", async () => {
  const { lane } = laneAtWork();
  for (const who of ["a", "a", "b", "b"]) lane.enter(who);
  const waits = ["a", "a", "a", "b", "c"].map((who) => lane.wait(who, here));
  expect(lane.counts).toMatchObject({ underWay: 4, waiting: 3 });
  expect([await waits[2], await waits[4]]).toEqual(["guest", "all"]);
  await vi.advanceTimersByTimeAsync(2100);
  expect(await Promise.all(waits)).toEqual(["guest", "guest", "guest", "guest", "all"]);
  expect(lane.counts).toMatchObject({ underWay: 4, waiting: 0 });
  expect(vi.getTimerCount()).toBe(0);
});

test("3 ending a turn twice ends it once", () => {
  const { lane } = laneAtWork();
  const [first, second] = [lane.enter("a"), lane.enter("a")];
  first?.();
  first?.();
  expect(lane.counts.underWay).toBe(1);
  second?.();
  expect(lane.counts.underWay).toBe(0);
});

test("3 a guest that is the only one for a while counts as alone, until another comes", async () => {
  const company = new Company();
  company.saw("a");
  expect([company.isAlone("a"), company.isAlone("b")]).toEqual([true, false]);
  company.saw("b");
  company.saw("a");
  expect(company.isAlone("a")).toBe(false);
  await vi.advanceTimersByTimeAsync(11_000);
  company.saw("a");
  expect(company.isAlone("a")).toBe(true);
});
