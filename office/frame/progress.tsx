import { Link } from "react-router";
import { useFresh } from "./fresh.browser.tsx";
import { Notice } from "./notice.tsx";
import { State, type Tone } from "./state.tsx";
import { Time } from "./times.tsx";

const LOOK_EVERY = 500; // ms

/** The progress of a long task. Refreshes the screen until the task is done; the member may leave the page. */
export function Progress({ done, all, what = "done" }: { done: number; all: number; what?: string }) {
  useFresh(LOOK_EVERY);
  return (
    <Notice kind="info">
      <strong className="font-semibold tabular-nums">
        {done} of {all} {what}.
      </strong>{" "}
      You can leave this page.
      <progress
        aria-label="Progress"
        value={done}
        max={Math.max(1, all)}
        className="mt-2 block h-1 w-full accent-palm"
      />
    </Notice>
  );
}

/** A long task of a member: its progress or result, and the link to its page. */
export type Recent = { to: string; says: string; tone: Tone; endedAt?: Date };

/** The member's long tasks of the last day, so that a task can be found again after leaving its page. */
export function RecentWork({ works }: { works: Recent[] }) {
  if (works.length === 0) return null;
  return (
    <ul aria-label="Started by you" className="mt-3 border-t border-hairline">
      {works.map(({ to, says, tone, endedAt }) => (
        <li key={to} className="flex flex-wrap items-center gap-x-4 border-b border-hairline">
          <Link to={to} className="inline-flex min-h-11 items-center underline-offset-3 hover:underline lg:min-h-9">
            <State tone={tone}>{says}</State>
          </Link>
          {endedAt && (
            <span className="text-muted">
              <Time at={endedAt} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The tasks to show beside a list: running ones, and those that ended just now, the latest first. */
export function justNow(works: Recent[]): Recent[] {
  const ended = ({ endedAt }: Recent) => endedAt?.getTime() ?? Infinity;
  return works
    .filter((work) => Date.now() - ended(work) < JUST)
    .toSorted((a, b) => (ended(a) === ended(b) ? 0 : ended(b) - ended(a)))
    .slice(0, 2);
}

const JUST = 15 * 60_000; // ms
