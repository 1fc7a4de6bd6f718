import type { ReactNode } from "react";
import { LeftIcon } from "#app/ui/icons.tsx";
import { NavLink } from "#app/ui/link.tsx";
import { Wordmark } from "./wordmark.tsx";

/** How a link in the header looks. */
export const HEADER_LINK =
  "label inline-flex min-h-11 items-center underline-offset-6 hover:underline aria-[current=page]:underline";

type Props = {
  /** At the right of a large screen: the account and the cart. */
  children: ReactNode;
  /** At the right of a phone whose page has a bar of its own in place of the navigation. */
  small: ReactNode;
};

export function Header({ children, small }: Props) {
  return (
    <header className="condensing over-campaign sticky low:static z-30 border-b border-hairline bg-paper print:hidden">
      <div className="page grid h-14 grid-cols-[1fr_minmax(0,auto)_1fr] items-center gap-x-2 lg:h-16">
        <nav aria-label="Main" className="hidden gap-8 lg:flex">
          <NavLink to="/shop" className={HEADER_LINK}>
            SHOP
          </NavLink>
          <NavLink to="/about" className={HEADER_LINK}>
            ABOUT
          </NavLink>
        </nav>
        <div className="col-start-1 hidden foot-bar:block">
          <NavLink to="/shop" className={`${HEADER_LINK} gap-1`}>
            <LeftIcon className="-ml-1.5 size-5" /> SHOP
          </NavLink>
        </div>
        <Wordmark className="col-start-2" />
        <div className="col-start-3 hidden justify-self-end foot-bar:block">{small}</div>
        <div className="col-start-3 hidden grid-cols-[1fr_6.75rem] justify-items-end lg:grid">{children}</div>
      </div>
    </header>
  );
}
