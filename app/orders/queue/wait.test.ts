import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#app/infra/durations.ts";
import type { Stand } from "./queue.ts";
import { aboutText, askAgainIn, waitOf } from "./wait.ts";

test.each([
  [waitOf(1, 60), "less than a minute"],
  [waitOf(60, 60), "about a minute"],
  [waitOf(214, 107), "about two minutes"],
  [waitOf(600, 60), "about ten minutes"],
  [waitOf(10_000, 120), "about 83 minutes"],
  [waitOf(10_000, 60), "about three hours"],
])("a wait of %d ms is %s", (duration, text) => {
  expect(aboutText(duration)).toBe(text);
});

describe("the page asks again", () => {
  const now = new Date();
  const later = (ms: number) => new Date(now.getTime() + ms);
  const stand = (place: Stand["place"], waiting = 10, opensAt = now): Stand => ({
    ...{ title: "Home Jersey", pace: 60, isInCart: true },
    ...{ place, waiting, opensAt },
  });
  const seconds = (one: Stand, random = 0) => (askAgainIn(one, now, random) ?? Number.NaN) / SECOND;

  test.each([1, 2, 100, 1000, 10_000])("number %i at least every half minute, if few wait", (ahead) => {
    const asked = seconds(stand({ is: "waiting", ahead, left: "enough" }));
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThanOrEqual(30);
  });

  test("no more than 200 times a second, however many wait", () => {
    for (const left of ["enough", "few", "reserved", "none"] as const)
      expect(10_000 / seconds(stand({ is: "waiting", ahead: 1, left }, 10_000))).toBe(200);
  });

  test("within half a minute after the opening, at different moments", () => {
    const opens = stand({ is: "drawn-later" }, 0, later(40 * SECOND));
    expect(seconds(opens)).toBe(40);
    expect(seconds(opens, 0.5)).toBe(55);
    expect(seconds(stand({ is: "drawn-later" }, 0, later(30 * MINUTE)))).toBe(60);
  });

  test("when a turn ends, and not where nothing changes", () => {
    expect(seconds(stand({ is: "turn", endsAt: later(20 * SECOND) }))).toBe(21);
    for (const is of ["passed", "bought"] as const) expect(seconds(stand({ is }))).toBeNaN();
    expect(seconds(stand({ is: "none", isOpen: true }))).toBeNaN();
  });
});
