import { MINUTE } from "../durations.ts";

/**
 * The most lines without a stack for a cause within a minute, after the first line, which has the stack. Further errors
 * are only counted.
 */
const BRIEF_LINES = 10;
/** The most causes that are distinguished within a minute; all further ones count as one. */
const MOST_CAUSES = 100;

export type Telling = "whole" | "brief" | "counted";

/**
 * Decides how an error is logged: whoever can provoke an error could fill the disk with stacks. After a minute
 * `summarize` gets the number of errors that were not logged.
 */
export function repeatedErrors(summarize: (cause: string, times: number) => void): (error: Error) => Telling {
  const counts = new Map<string, number>();

  function end(): void {
    const ended = [...counts];
    counts.clear();
    for (const [cause, count] of ended) if (count > 1 + BRIEF_LINES) summarize(cause, count - 1 - BRIEF_LINES);
  }
  return (error) => {
    if (counts.size === 0) setTimeout(end, MINUTE).unref();
    const place = causeOf(error);
    const cause = counts.has(place) || counts.size < MOST_CAUSES ? place : "others";
    const count = (counts.get(cause) ?? 0) + 1;
    counts.set(cause, count);
    if (count === 1) return "whole";
    return count <= 1 + BRIEF_LINES ? "brief" : "counted";
  };
}

/** The error's class and where it was thrown, without the message, which a visitor may have made up. */
function causeOf({ name, stack = "" }: Error): string {
  const [place = ""] = /^ {4}at .+$/m.exec(stack) ?? [];
  return `${name} ${place.trim()}`.trim();
}
