import { Link } from "react-router";
import type { Happening } from "#app/owner/orders/happening.ts";
import { Time } from "../frame/times.tsx";

const DOTS: Record<Happening["look"], string> = {
  key: "before:bg-palm",
  waiting: "before:bg-ember-deep",
  person: "before:rotate-45 before:rounded-none before:bg-error",
  plain: "before:border-2 before:border-muted before:bg-paper",
};

/** The events of an order, or the notes about a customer, newest first. */
export function Timeline({ happenings }: { happenings: Happening[] }) {
  return (
    <ol className="ml-1.5 grid gap-3.5 border-l-2 border-hairline">
      {happenings.map(({ at, title, to, by, text, words, look }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two things of one moment have nothing else that tells them apart
          key={`${at.getTime()} ${title} ${index}`}
          className={`relative pl-5 before:absolute before:top-1 before:-left-[7px] before:size-3 before:rounded-full ${DOTS[look]}`}
        >
          <strong className="font-semibold tabular-nums">
            {to ? (
              <Link to={to} className="underline underline-offset-3">
                {title}
              </Link>
            ) : (
              title
            )}
          </strong>
          <p className="text-muted">
            <Time at={at} look="weekday" />
            <span>{by && ` · ${by}`}</span>
          </p>
          {text && <p className="text-muted tabular-nums wrap-anywhere">{text}</p>}
          {words && <p className="mt-1 border-l-2 border-ember pl-2.5 whitespace-pre-line wrap-anywhere">{words}</p>}
        </li>
      ))}
    </ol>
  );
}
