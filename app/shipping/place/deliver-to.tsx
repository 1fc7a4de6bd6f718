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
 * The cost of delivery and the arrival dates if the shopper's place is known; otherwise `children` and a way to choose
 * a place. The server renders the page without a place, so that it is the same for everybody and can be cached. A
 * script then fills in the place, in lines that are reserved to avoid a layout shift. Without JavaScript there is a
 * link to the prices. `children` must end with a space: a space in a text node of its own would move when the text
 * after it is replaced.
 */
export function DeliverTo({ rate, lines = 2, children }: { rate: Rate; lines?: 2 | 3; children: ReactNode }) {
  const later = useLater(
    useHydrated(),
    () => import("./estimate.tsx"),
    () => undefined, // the text for pages without JavaScript stays
  );
  return (
    <span className={lines === 3 ? "block min-h-[3lh]" : "block min-h-[2lh]"}>
      {later ? (
        <later.Estimate rate={rate} link={LINK}>
          {children}
        </later.Estimate>
      ) : (
        <>
          <span>{children}</span>
          {LINK}
        </>
      )}
    </span>
  );
}
