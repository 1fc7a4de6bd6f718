import { expect } from "vitest";
import { SECOND } from "#app/infra/durations.ts";

/** By which the clocks of two processes on one machine may differ, in ms. */
const CLOCKS = 100;

/** Does something which sets a moment, and expects that this is so many seconds later, however long it took itself. */
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
