import { HEADER_LINK } from "#app/ui/frame/header.tsx";
import { Link } from "#app/ui/link.tsx";
import { useCartDrawer } from "./store.browser.ts";

/** CART (n) in the header: opens the drawer; without script it leads to the page and has the account's number, where that is known. */
export function CartLink({ count, withoutScript }: { count: number; withoutScript: number }) {
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
      {withoutScript > 0 ? (
        <>
          <span className="[@media(scripting:none)]:hidden">CART ({count})</span>
          <noscript>CART ({withoutScript})</noscript>
        </>
      ) : (
        <>CART ({count})</>
      )}
    </Link>
  );
}
