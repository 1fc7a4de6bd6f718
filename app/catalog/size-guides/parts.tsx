import type { ReactNode } from "react";
import type { SizeGuideTable } from "./guide.ts";
import { SizeTable } from "./table.tsx";

type Props = { guide: SizeGuideTable; caption: string; children: ReactNode };

/**
 * The table of an owner's size guide, and below it how each measure is taken and how the piece falls. A table that is
 * wider than the window is scrolled sideways. `children`: its rows.
 */
export function GuideParts({ guide: { falls, measures }, caption, children }: Props) {
  const explained = measures.filter(({ meaning }) => meaning !== "");
  return (
    <div className="grid grid-cols-1 gap-4">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is pushed sideways must be reached by keyboard */}
      <section aria-label="Sizes" tabIndex={0} className="overflow-x-auto">
        <SizeTable caption={caption} heads={measures.map(({ name }) => name)}>
          {children}
        </SizeTable>
      </section>
      {falls && <p className="wrap-anywhere">{falls}</p>}
      {explained.length > 0 && (
        <ul className="grid gap-1 text-sm text-muted wrap-anywhere">
          {explained.map(({ name, meaning }) => (
            <li key={name}>
              <b className="font-semibold">{name}</b> <span>{meaning}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
