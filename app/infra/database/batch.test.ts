import { afterEach, expect, test, vi } from "vitest";
import { batched } from "./batch.server.ts";
import type { Db } from "./db.server.ts";

const on = {} as Db; // never used: the test provides the query

/** A batched query that the test answers itself: the keys of each round, and the promise to settle it. */
function question() {
  const rounds: { keys: string[]; answer: PromiseWithResolvers<string> }[] = [];
  const ask = batched((_: Db, keys: string[]) => {
    const answer = Promise.withResolvers<string>();
    rounds.push({ keys, answer });
    return answer.promise;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { rounds, ask: (key: string) => ask(on, key), settled };
}

afterEach(() => {
  vi.useRealTimers();
});

test("a call during a query joins the next query", async () => {
  const { rounds, ask, settled } = question();
  const first = ask("a");
  await settled();
  const [second, third, again] = [ask("b"), ask("c"), ask("b")];
  await settled();
  expect(rounds.map(({ keys }) => keys)).toEqual([["a"]]);
  rounds[0]?.answer.resolve("one");
  await settled();
  expect(rounds.map(({ keys }) => keys)).toEqual([["a"], ["b", "c"]]);
  rounds[1]?.answer.resolve("two");
  expect(await Promise.all([first, second, third, again])).toEqual(["one", "two", "two", "two"]);
});

test("an error rejects only the calls of its query", async () => {
  const { rounds, ask, settled } = question();
  const failing = [ask("a"), ask("b")];
  await settled();
  const next = ask("c");
  rounds[0]?.answer.reject(new Error("lost"));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await settled();
  rounds[1]?.answer.resolve("well");
  expect(await next).toBe("well");
});

test("a query that hangs delays the next one by at most a second", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { rounds, ask, settled } = question();
  void ask("a");
  await settled();
  const next = ask("b");
  await vi.advanceTimersByTimeAsync(999);
  expect(rounds).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await settled();
  rounds[1]?.answer.resolve("well");
  expect(await next).toBe("well");
});
