import { CartIcon, HomeIcon, PersonIcon, ShopIcon } from "#app/ui/icons.tsx";
import { NavLink } from "#app/ui/link.tsx";

const ITEM =
  "relative grid min-h-14 justify-items-center gap-0.5 pt-2 pb-1 text-[0.6875rem] font-semibold aria-[current=page]:text-palm";

type Props = {
  count: number;
  /** The account's, where it is known; 0 where it is not. */
  countWithoutScript: number;
  signedIn: boolean;
};

/** The navigation at the lower edge of a phone. Columns of a fixed width: nothing moves while the page is still arriving. */
export function BottomNavigation({ count, countWithoutScript, signedIn }: Props) {
  return (
    <nav
      aria-label="Shop"
      className="sticky low:static foot-bar:hidden bottom-0 z-30 grid grid-cols-4 border-t border-hairline bg-paper pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      <NavLink to="/" className={ITEM}>
        <HomeIcon /> Home
      </NavLink>
      <NavLink to="/shop" className={ITEM}>
        <ShopIcon /> Shop
      </NavLink>
      <NavLink to="/Cart" className={ITEM}>
        <CartIcon /> Cart
        <CartBadge count={count} withoutScript={countWithoutScript} />
      </NavLink>
      {signedIn ? (
        <AccountItem />
      ) : (
        <>
          <NavLink to="/login" className={`${ITEM} [@media(scripting:none)]:hidden`}>
            <PersonIcon /> Login
          </NavLink>
          <noscript>
            <AccountItem />
          </noscript>
        </>
      )}
    </nav>
  );
}

function AccountItem() {
  return (
    <NavLink to="/account" className={ITEM}>
      <PersonIcon /> Account
    </NavLink>
  );
}

/** The number of pieces at a cart's icon; without script the account's, where that is known. */
export function CartBadge({ count, withoutScript }: { count: number; withoutScript: number }) {
  return (
    <>
      {count > 0 && <Badge>{count}</Badge>}
      {withoutScript > 0 && (
        <noscript>
          <Badge>{withoutScript}</Badge>
        </noscript>
      )}
    </>
  );
}

function Badge({ children }: { children: number }) {
  return (
    <span className="price absolute top-1 left-1/2 ml-1 min-w-5 rounded-full bg-ember-deep px-1 text-center text-xs leading-5 text-white">
      {children}
    </span>
  );
}
