import { setImmediate as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurn } from "./sharp.server.ts";

test("at most two pictures are decoded at once, also if some cannot be read", async () => {
  let [now, most] = [0, 0];
  const unpack = async (at: number) => {
    most = Math.max(most, ++now);
    await pause();
    now--;
    if (at % 3 === 0) throw new Error("no picture");
    return at;
  };
  const all = await Promise.allSettled(Array.from({ length: 12 }, (_, at) => inTurn(() => unpack(at))));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
  expect([now, most]).toEqual([0, 2]);
});
