import type { ReactNode } from "react";
import { SearchIcon } from "#app/ui/icons.tsx";
import { Link, NavLink } from "#app/ui/link.tsx";
import { Wordmark } from "./wordmark.tsx";

/** The classes of a link in the header. */
export const HEADER_LINK =
  "label inline-flex min-h-11 items-center underline-offset-6 hover:underline aria-[current=page]:underline";

/** `children` are shown at the right on large screens: the account and the cart. */
export function Header({ children }: { children: ReactNode }) {
  return (
    <header className="condensing over-campaign sticky low:static z-30 border-b border-hairline bg-paper [--page:111rem] print:hidden">
      <div className="page grid h-14 grid-cols-[1fr_minmax(0,auto)_1fr] items-center gap-x-2 lg:h-16">
        <nav aria-label="Main" className="hidden gap-8 lg:flex">
          <NavLink to="/shop" className={HEADER_LINK}>
            SHOP
          </NavLink>{" "}
          <NavLink to="/about" className={HEADER_LINK}>
            ABOUT
          </NavLink>
        </nav>{" "}
        <Wordmark className="col-start-2" />{" "}
        <Link
          to="/shop#search"
          className="col-start-3 -mr-2.5 grid size-11 place-items-center justify-self-end lg:hidden"
        >
          <SearchIcon />
          <span className="sr-only">Search</span>
        </Link>{" "}
        <div className="col-start-3 hidden grid-cols-[1fr_6.75rem] justify-items-end lg:grid">{children}</div>
      </div>
    </header>
  );
}
