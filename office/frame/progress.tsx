import { useFresh } from "./fresh.browser.tsx";
import { Notice } from "./notice.tsx";

const LOOK_EVERY = 500; // ms

/** How far long work is. It refreshes until the work is done; the page may be left. */
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
