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
/**
 * Those who wait for the opening ask again within this time after it, each at a moment of their own, so that they do
 * not all come at once. The places are drawn, so nobody is late.
 */
const SPREAD = 20 * SECOND;

/**
 * In how many ms the page asks again: the more often the nearer the turn is. Undefined if nothing changes by itself.
 * `random` is at least 0 and less than 1.
 */
export function askAgainIn({ place, opensAt, pace }: Stand, now: Date, random: number): number | undefined {
  switch (place.is) {
    case "none":
    case "passed":
    case "bought":
      return;
    case "drawn-later":
      return Math.min(2 * SELDOM, Math.max(OFTEN, opensAt.getTime() - now.getTime()) + random * SPREAD);
    case "turn":
      return Math.min(2 * SELDOM, Math.max(SECOND, place.endsAt.getTime() - now.getTime() + SECOND));
    case "waiting":
      if (place.left !== "some") return SELDOM;
      return Math.min(SELDOM, Math.max(OFTEN, waitOf(place.ahead ?? 1, pace) / 4));
  }
}
