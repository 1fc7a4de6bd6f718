import { HEADER_LINK } from "#app/ui/frame/header.tsx";
import { Link } from "#app/ui/link.tsx";
import { useCartDrawer } from "./store.browser.ts";

/** CART (n) in the header: opens the drawer; without script it leads to the page. */
export function CartLink({ count }: { count: number }) {
  const drawer = useCartDrawer();
  return (
    <Link
      to="/Cart"
      className={`${HEADER_LINK} min-w-18 tabular-nums`}
      onClick={(event) => {
        event.preventDefault();
        drawer.open();
      }}
    >
      CART ({count})
    </Link>
  );
}
