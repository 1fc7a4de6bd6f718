import type { ReactNode } from "react";
import type { Rate } from "#app/money/exchange-rate.ts";
import { Link } from "#app/ui/link.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { useLater } from "#app/ui/use-later.browser.ts";

const LINK = (
  <Link to="/shipping-policy#prices" className="whitespace-nowrap text-palm underline underline-offset-4">
    What it costs
  </Link>
);

/**
 * What delivery costs and when it arrives, where the place is known; else `children`, and a way to choose one. Pages are the same for everybody: the
 * place comes by script, into the lines that are kept free for it. Without script the prices are a link away. `children` end with a space: one that is
 * a text of its own would move when the words after it arrive.
 */
export function DeliverTo({ rate, lines = 2, children }: { rate: Rate; lines?: 2 | 3; children: ReactNode }) {
  const later = useLater(
    useHydrated(),
    () => import("./estimate.tsx"),
    () => undefined, // what is said without script stays
  );
  return (
    <span className={lines === 3 ? "block min-h-[3lh]" : "block min-h-[2lh]"}>
      {later ? (
        <later.Estimate rate={rate} link={LINK}>
          {children}
        </later.Estimate>
      ) : (
        <>
          {children}
          {LINK}
        </>
      )}
    </span>
  );
}
