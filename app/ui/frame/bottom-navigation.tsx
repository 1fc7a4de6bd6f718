import { CartIcon, HomeIcon, PersonIcon, ShopIcon } from "#app/ui/icons.tsx";
import { NavLink } from "#app/ui/link.tsx";

const ITEM =
  "relative grid min-h-14 justify-items-center gap-0.5 pt-2 pb-1 text-[0.6875rem] font-semibold aria-[current=page]:text-palm";

/** `count` is the number of units in the cart, if known. */
type Props = { count: number | undefined; signedIn: boolean };

/**
 * The navigation at the bottom of a phone's screen. Its columns have a fixed width, so that nothing moves while the
 * page loads.
 */
export function BottomNavigation({ count, signedIn }: Props) {
  return (
    <nav
      aria-label="Shop"
      className="sticky low:static bottom-0 z-30 grid grid-cols-4 border-t border-hairline bg-paper pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      <NavLink to="/" className={ITEM}>
        <HomeIcon /> Home
      </NavLink>{" "}
      <NavLink to="/shop" className={ITEM}>
        <ShopIcon /> Shop
      </NavLink>{" "}
      <NavLink to="/Cart" data-cart-count="" className={ITEM}>
        <CartIcon /> Cart {count !== undefined && count > 0 && <Badge>{count}</Badge>}
      </NavLink>{" "}
      {signedIn ? (
        <AccountItem />
      ) : (
        <>
          <NavLink to="/login" className={`${ITEM} where-signed-out [@media(scripting:none)]:hidden`}>
            <PersonIcon /> Login
          </NavLink>
          <AccountItem className="where-signed-in" />
        </>
      )}
    </nav>
  );
}

function AccountItem({ className = "" }: { className?: string }) {
  return (
    <NavLink to="/account" className={`${ITEM} ${className}`}>
      <PersonIcon /> Account
    </NavLink>
  );
}

function Badge({ children }: { children: number }) {
  return (
    <span className="price absolute top-1 left-1/2 ml-1 min-w-5 rounded-full bg-ember-deep px-1 text-center text-xs leading-5 text-white">
      {children}
    </span>
  );
}
