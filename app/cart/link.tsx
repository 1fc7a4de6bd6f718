import { CartBadge } from "#app/ui/frame/bottom-navigation.tsx";
import { HEADER_LINK } from "#app/ui/frame/header.tsx";
import { CartIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { useCartDrawer } from "./store.browser.ts";

const LINK = `${HEADER_LINK} min-w-18 tabular-nums`;

type Props = { count: number; withoutScript: number };

/** CART (n) in the header: opens the drawer; without script it leads to the page and has the account's number, where that is known. */
export function CartLink({ count, withoutScript }: Props) {
  const drawer = useCartDrawer();
  const other = withoutScript > 0;
  return (
    <>
      <Link
        to="/Cart"
        data-cart-count=""
        className={`${LINK} ${other ? "[@media(scripting:none)]:hidden" : ""}`}
        onClick={(event) => {
          event.preventDefault();
          drawer.open();
        }}
      >
        CART ({count})
      </Link>
      {other && (
        <noscript>
          <Link to="/Cart" className={LINK}>
            CART ({withoutScript})
          </Link>
        </noscript>
      )}
    </>
  );
}

/** The cart's icon in the header of a phone whose page has no navigation at the foot. */
export function CartIconLink({ count, withoutScript }: Props) {
  return (
    <Link to="/Cart" data-cart-count="" className="relative -mr-2 grid size-11 place-items-center">
      <CartIcon />
      <span className="sr-only">Cart</span>
      <CartBadge count={count} withoutScript={withoutScript} />
    </Link>
  );
}
