import type { ReactNode } from "react";
import { NavLink } from "#app/ui/link.tsx";
import { Wordmark } from "./wordmark.tsx";

/** How a link in the header looks. */
export const HEADER_LINK =
  "label inline-flex min-h-11 items-center underline-offset-6 hover:underline aria-[current=page]:underline";

/** `children` stand at the right of a large screen: the account and the cart. */
export function Header({ children }: { children: ReactNode }) {
  return (
    <header className="condensing over-campaign sticky low:static z-30 border-b border-hairline bg-paper print:hidden">
      <div className="page grid h-14 grid-cols-[1fr_auto_1fr] items-center lg:h-16">
        <nav aria-label="Main" className="hidden gap-8 lg:flex">
          <NavLink to="/shop" className={HEADER_LINK}>
            SHOP
          </NavLink>
          <NavLink to="/about" className={HEADER_LINK}>
            ABOUT
          </NavLink>
        </nav>
        <Wordmark className="col-start-2" />
        <div className="col-start-3 hidden grid-cols-[1fr_6.75rem] justify-items-end lg:grid">{children}</div>
      </div>
    </header>
  );
}
