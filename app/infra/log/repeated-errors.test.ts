import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { repeatedErrors } from "./repeated-errors.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const thrownHere = (message: string) => new Error(message);

test("13 after a minute the number of repetitions is logged, and the stack again", async () => {
  const summaries: number[] = [];
  const tell = repeatedErrors((_, times) => summaries.push(times));
  const told = Array.from({ length: 50 }, (_, n) => tell(thrownHere(`made up ${n}`)));
  expect(Map.groupBy(told, (one) => one).get("brief")).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(summaries).toEqual([39]);
  expect(tell(thrownHere("again"))).toBe("whole");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(summaries).toEqual([39]);
});

test("13 the number of remembered causes is bounded, whatever is thrown", () => {
  const tell = repeatedErrors(() => undefined);
  const named = (name: string) => Object.assign(new Error("no"), { name });
  const told = Array.from({ length: 1000 }, (_, n) => tell(named(`Error${n}`)));
  expect(told.filter((one) => one === "whole")).toHaveLength(101);
  expect(told.filter((one) => one === "brief")).toHaveLength(10);
});
