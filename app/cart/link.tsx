import { HEADER_LINK } from "#app/ui/frame/header.tsx";
import { Link } from "#app/ui/link.tsx";
import { useCartDrawer } from "./store.browser.ts";

const LINK = `${HEADER_LINK} min-w-18 tabular-nums`;

/** CART (n) in the header: opens the drawer; without script it leads to the page and has the account's number, where that is known. */
export function CartLink({ count, withoutScript }: { count: number; withoutScript: number }) {
  const drawer = useCartDrawer();
  const other = withoutScript > 0;
  return (
    <>
      <Link
        to="/Cart"
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
