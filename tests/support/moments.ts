import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { MINUTE, SECOND } from "#app/infra/durations.ts";
import { endOfDay, shopDay } from "#app/owner/shop-time.server.ts";

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

/**
 * For `beforeEach`, where tests name today or count by days: if the shop's day ends within two minutes, waits for the
 * next one, so that a test ends on the day on which it began.
 */
export async function withinOneDay(): Promise<void> {
  const left = Number(endOfDay(shopDay())) - Date.now();
  if (left < 2 * MINUTE) await pause(left + SECOND);
}
