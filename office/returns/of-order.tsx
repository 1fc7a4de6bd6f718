import { Link } from "react-router";
import type { FoundReturn } from "#app/owner/returns/search.server.ts";
import { RightIcon } from "#app/ui/icons.tsx";
import { Section } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";

/** The returns of an order, with links to their pages. */
export function ReturnsOf({ returns }: { returns: FoundReturn[] }) {
  return (
    <Section title="Returns">
      <ul className="border-t border-hairline">
        {returns.map(({ number, what, why, standing }) => (
          <li key={number} className="border-b border-hairline">
            <Link
              to={`/returns/${number}`}
              className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto_1.25rem] items-center gap-3 py-2 hover:bg-chosen"
            >
              <span className="min-w-0">
                <strong className="block font-semibold tabular-nums">{number}</strong>{" "}
                <span className="block truncate text-muted">
                  {what} · {why}
                </span>
              </span>{" "}
              <State tone={standing.tone}>{standing.text}</State>
              <RightIcon className="size-5 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
