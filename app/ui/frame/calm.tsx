import { type ReactNode, useContext } from "react";
import { useBrand } from "#app/brand/context.tsx";
import { BackIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { ContactContext } from "./contact.tsx";
import { HEADER_LINK } from "./header.tsx";
import { mailtoHref } from "./paths.ts";
import { Wordmark } from "./wordmark.tsx";

/** Where the link back of a form leads. */
export type Back = { to: string; label: string };

/** The header above a long form: a link back, the name and help, but no link that leads elsewhere. */
export function CalmHeader({ to, label }: Back) {
  const contact = useContext(ContactContext);
  return (
    <header className="border-b border-hairline bg-paper print:hidden">
      <div className="page grid h-14 max-w-[83.5rem]! grid-cols-[auto_minmax(2.5rem,1fr)_minmax(2.25rem,auto)] items-center gap-3 lg:h-16 lg:grid-cols-[1fr_auto_1fr]">
        <Link to={to} className={`${HEADER_LINK} -ml-1.5 justify-self-start`}>
          <BackIcon className="size-5" /> {label}
        </Link>{" "}
        <Wordmark className="justify-self-center" />{" "}
        {contact && (
          <a href={contact.whatsappUrl ?? mailtoHref(contact.email)} className={`${HEADER_LINK} justify-self-end`}>
            Help
          </a>
        )}
      </div>
    </header>
  );
}

/** The frame of an error page when nothing could be loaded: neither the cart nor the shop's settings. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="border-b border-hairline bg-paper print:hidden">
        <nav
          aria-label="Main"
          className="page grid h-14 max-w-[83.5rem]! grid-cols-[1fr_minmax(2.5rem,auto)_1fr] items-center gap-3 lg:h-16"
        >
          <Link to="/shop" className={`${HEADER_LINK} justify-self-start`}>
            SHOP
          </Link>{" "}
          <Wordmark />{" "}
          <Link to="/Cart" className={`${HEADER_LINK} justify-self-end`}>
            CART
          </Link>
        </nav>
      </header>
      <div className="min-h-[60vh]">{children}</div>
      <ShortFooter />
    </>
  );
}

/** A footer with few links and without the newsletter, for pages on which shoppers should not be distracted. */
export function ShortFooter() {
  const { wordmark } = useBrand();
  const link = "inline-flex min-h-11 items-center underline-offset-4 hover:underline";
  return (
    <footer className="mt-16 border-t border-hairline text-sm text-muted print:hidden">
      <div className="page flex max-w-[83.5rem]! flex-wrap items-center gap-x-5 py-2">
        <p className="min-h-11 content-center">{`© 2026 ${wordmark}`}</p>
        <Link to="/returnpolicy" className={link}>
          Returns
        </Link>{" "}
        <Link to="/shipping-policy" className={link}>
          Shipping
        </Link>{" "}
        <Link to="/privacy-policy" className={link}>
          Privacy
        </Link>
      </div>
    </footer>
  );
}
