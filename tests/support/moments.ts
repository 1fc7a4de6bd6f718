import { expect } from "vitest";
import { SECOND } from "#app/infra/durations.ts";

/** The most by which the clocks of two processes on one machine may differ, in ms. */
const CLOCKS = 100;

/** Calls `act`, which sets a moment. Expects the moment to be so many seconds after `act`, however long that took. */
export async function setsMoment<T>(
  act: () => Promise<T>,
  moment: (acted: T) => Promise<Date | null | undefined>,
  seconds: number,
): Promise<T> {
  const began = Date.now();
  const acted = await act();
  const ended = Date.now();
  const at = Number(await moment(acted)) - seconds * SECOND;
  expect(at).toBeGreaterThanOrEqual(began - CLOCKS);
  expect(at).toBeLessThanOrEqual(ended + CLOCKS);
  return acted;
}
