import type { Rate } from "#app/money/exchange-rate.ts";
import type { RateKind } from "#app/owner/delivery/rates.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import type { Drafts } from "./drafts.ts";
import { OthersNotice } from "./others-notice.tsx";
import { RateCell } from "./rate-cell.tsx";

/** `name` is the stored name, `title` the displayed one. */
export type ListedPlace = { name: string; title: string; about?: string; mayGo: boolean };

type Props = {
  kind: RateKind;
  label: string;
  places: ListedPlace[];
  drafts: Drafts;
  rate: Rate;
  problems: Record<string, string>;
  mayChange: boolean;
};

/** A list of places with an input for the delivery cost of each. */
export function RateList({ kind, label, places, drafts, rate, problems, mayChange }: Props) {
  return (
    <ul aria-label={label} className="gap-x-16 border-t border-hairline lg:columns-2 lg:border-t-0">
      {places.map(({ name, title, about, mayGo }) => {
        const draft = drafts.of(kind, name);
        const current = drafts.current(kind, name);
        return (
          <li key={name} className="break-inside-avoid border-b border-hairline py-1.5">
            <div className="flex min-h-11 items-center gap-3 lg:min-h-9">
              <span className={`min-w-0 flex-1 ${draft?.isGone ? "text-muted line-through" : "font-medium"}`}>
                {title}{" "}
                {about && <span className="block text-[0.8125rem] leading-4.5 font-normal text-muted">{about}</span>}
              </span>{" "}
              {draft?.isGone ? (
                <button
                  type="button"
                  onClick={() => drafts.drop({ kind, name })}
                  className="min-h-11 underline underline-offset-3 lg:min-h-9"
                >
                  Keep it
                </button>
              ) : (
                <RateCell
                  label={`${title} in dollars`}
                  dollars={drafts.text(kind, name, "dollars")}
                  rate={rate}
                  isChanged={draft !== undefined}
                  problem={problems[`${kind} ${name}`]}
                  isReadOnly={!mayChange}
                  placeholder={current || draft ? undefined : "0.00"}
                  onChange={(dollars) => drafts.change(kind, name, { dollars })}
                />
              )}
              {mayGo && mayChange && (
                <button
                  type="button"
                  aria-label={`Remove ${title}`}
                  hidden={draft?.isGone}
                  onClick={() => (current ? drafts.change(kind, name, { isGone: true }) : drafts.drop({ kind, name }))}
                  className="-mr-3 grid size-11 flex-none place-items-center text-muted hover:text-ink lg:size-9"
                >
                  <CloseIcon className="size-4" />
                </button>
              )}
            </div>
            {draft && <OthersNotice draft={draft} drafts={drafts} />}
          </li>
        );
      })}
    </ul>
  );
}
