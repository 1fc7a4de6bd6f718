import { describe, expect, test } from "vitest";
import { movedRow, movedTimes } from "./moved.ts";

const HOUR = 3_600_000;

describe("the times of a recorded past", () => {
  test.each([
    ["2026-11-29T20:15:00.123456+00:00", "2026-11-29T22:15:00.123456+00:00"],
    ["2026-11-29T23:15:00+01:00", "2026-11-30T00:15:00.000+00:00"],
    ["2026-12-31T23:00:00.5Z", "2027-01-01T01:00:00.500Z"],
  ])("%s becomes %s two hours later", (before, after) => {
    expect(movedTimes(before, 2 * HOUR)).toBe(after);
    expect(Date.parse(after) - Date.parse(before)).toBe(2 * HOUR);
  });

  test("are moved within JSON, too; days, numbers and other texts stay", () => {
    const row = {
      at: "2026-01-01T00:00:00.000Z",
      after: { endsAt: "2026-01-01T10:00:00.000Z" },
      day: "2026-01-01",
      n: 1,
    };
    expect(movedRow(row, HOUR)).toEqual({
      ...row,
      at: "2026-01-01T01:00:00.000Z",
      after: { endsAt: "2026-01-01T11:00:00.000Z" },
    });
  });
});
