import { afterEach, expect, test, vi } from "vitest";
import { HOUR } from "#app/infra/durations.ts";
import { collectGarbage } from "#tests/support/collect-garbage.ts";
import { longWorks } from "./long-work.server.ts";

afterEach(() => void vi.useRealTimers());

test("a finished task is kept for an hour", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const works = longWorks<never, string>();
  const id = await works.begin("ada", async () => "read");
  vi.advanceTimersByTime(HOUR - 1);
  expect(works.find("ada", id)).toMatchObject({ isDone: true, result: "read" });
  vi.advanceTimersByTime(1);
  expect(works.find("ada", id)).toBeUndefined();
});

test("a task has its progress, and the rows that were reported with it", async () => {
  const works = longWorks<string>();
  const id = await works.begin("ada", async (onProgress) => {
    onProgress(1, 3);
    onProgress(2, 3, "the second is broken");
  });
  expect(works.find("ada", id)).toMatchObject({ done: 2, all: 3, rows: ["the second is broken"] });
});

test("a person finds the newest of their own finished tasks, and nobody else's", async () => {
  const works = longWorks<never, number>({ most: 2 });
  const another = await works.begin("bola", async () => 0);
  const ids: string[] = [];
  for (const number of [1, 2, 3]) ids.push(await works.begin("ada", async () => number));
  expect(works.of("ada").map(({ result }) => result)).toEqual([3, 2]);
  expect(works.of("bola").map(({ id }) => id)).toEqual([another]);
  expect(works.find("bola", ids[2] ?? "")).toBeUndefined();
});

test("the newest finished tasks of all people are kept, five times as many as of one person", async () => {
  const works = longWorks<never>({ most: 2 });
  const people = Array.from({ length: 6 }, (_, at) => `person ${at}`);
  for (const person of [...people, ...people]) await works.begin(person, async () => undefined);
  expect(people.map((person) => works.of(person).length)).toEqual([1, 1, 2, 2, 2, 2]);
});

test("a task that is no longer kept is released from memory", async () => {
  const works = longWorks<never, object>({ most: 1 });
  const results: WeakRef<object>[] = [];
  const result = async () => {
    const table = { text: "a table" };
    results.push(new WeakRef(table));
    return table;
  };
  for (let i = 0; i < 3; i++) await works.begin("ada", result);
  await new Promise((resolve) => setTimeout(resolve)); // a WeakRef keeps its object alive until the current job ends
  collectGarbage();
  expect(results.map((one) => one.deref() !== undefined)).toEqual([false, false, true]);
  expect(works.of("ada")).toHaveLength(1);
});
