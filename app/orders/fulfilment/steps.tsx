import { CheckIcon } from "#app/ui/icons.tsx";
import type { Step } from "./progress.ts";

const LOOKS = {
  past: { ring: "bg-palm text-white", line: "bg-palm", says: "Done: " },
  now: { ring: "bg-ember-deep text-white", line: "bg-ink/20", says: "Now: " },
  ahead: { ring: "border-2 border-ink/40", line: "bg-ink/20", says: "Next: " },
};

/** The steps of an order, one below the other. */
export function Steps({ steps, label, className = "" }: { steps: Step[]; label: string; className?: string }) {
  return (
    <ol aria-label={label} className={className}>
      {steps.map(({ name, text, is }, index) => {
        const { ring, line, says } = LOOKS[is];
        return (
          <li key={name} className="relative grid grid-cols-[1.75rem_1fr] gap-x-3 pb-5 last:pb-0">
            {index < steps.length - 1 && <span className={`absolute top-8 bottom-1 left-[13px] w-0.5 ${line}`} />}
            <span
              className={`grid size-7 place-items-center rounded-full text-sm font-bold forced-colors:border ${ring}`}
            >
              {/* CSS shows the number: without CSS, the list shows its own numbers. */}
              {is === "past" ? (
                <CheckIcon className="size-4" />
              ) : (
                <span aria-hidden="true" data-number={index + 1} className="before:content-[attr(data-number)]" />
              )}
            </span>{" "}
            <span>
              <span className="sr-only">{says}</span>
              <b className="font-semibold">{name}</b> <span className="block text-[0.9375rem] text-muted">{text}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
