import { HEADER_LINK } from "#app/ui/frame/header.tsx";
import { Link } from "#app/ui/link.tsx";
import { useCartDrawer } from "./store.browser.ts";

/**
 * The link CART (n) in the header, without the number while the count is unknown. It opens the drawer; without
 * JavaScript it leads to the cart page.
 */
export function CartLink({ count }: { count: number | undefined }) {
  const drawer = useCartDrawer();
  return (
    <Link
      to="/Cart"
      data-cart-count=""
      className={`${HEADER_LINK} min-w-18 tabular-nums`}
      onClick={(event) => {
        event.preventDefault();
        drawer.open();
      }}
    >
      {count === undefined ? "CART" : `CART (${count})`}
    </Link>
  );
}
