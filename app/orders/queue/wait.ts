import { MINUTE, SECOND } from "#app/infra/durations.ts";
import type { Stand } from "./queue.ts";

const WORDS = ["", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** How long something takes, in ms, as people say it: "about two minutes". */
export function aboutText(duration: number): string {
  const minutes = Math.round(duration / MINUTE);
  if (minutes < 1) return "less than a minute";
  if (minutes === 1) return "about a minute";
  if (minutes < 90) return `about ${WORDS[minutes] ?? minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return `about ${WORDS[hours] ?? hours} hours`;
}

/** The wait of place number `ahead` at `pace` turns a minute, in ms. */
export function waitOf(ahead: number, pace: number): number {
  return (ahead / pace) * MINUTE;
}

const OFTEN = 5 * SECOND;
const SELDOM = 30 * SECOND;
const BEFORE = MINUTE;
/**
 * Those who wait for the opening ask again within this time after it, each at a moment of their own, so that they do
 * not all come at once. The places are drawn, so nobody is late.
 */
const SPREAD = 30 * SECOND;
/** All who wait ask at most so often in a second, together. */
const ASKS_PER_SECOND = 200;

/**
 * In how many ms the page asks again: the more often the nearer the turn is and the fewer wait. Undefined if nothing
 * changes by itself. `random` is at least 0 and less than 1.
 */
export function askAgainIn({ place, opensAt, pace, waiting }: Stand, now: Date, random: number): number | undefined {
  switch (place.is) {
    case "none":
    case "passed":
    case "bought":
      return;
    case "drawn-later": {
      const left = opensAt.getTime() - now.getTime();
      return left > BEFORE ? BEFORE : Math.max(OFTEN, left) + random * SPREAD;
    }
    case "held":
      return BEFORE;
    case "turn":
      return Math.min(BEFORE, Math.max(SECOND, place.endsAt.getTime() - now.getTime() + SECOND));
    case "waiting": {
      const wanted = place.left === "enough" ? Math.min(SELDOM, waitOf(place.ahead ?? 1, pace) / 4) : SELDOM;
      return Math.max(OFTEN, wanted, (waiting / ASKS_PER_SECOND) * SECOND);
    }
  }
}
