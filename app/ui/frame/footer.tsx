import { type ReactNode, useContext } from "react";
import { useBrand } from "#app/brand/context.tsx";
import { Link } from "#app/ui/link.tsx";
import { ContactContext } from "./contact.tsx";
import { mailtoHref } from "./paths.ts";

const LINE = "inline-flex min-h-10 items-center text-sm sm:min-h-11 sm:text-base";

/** `subscribe` is the fourth column, `small` the text below all columns. */
export function Footer({ subscribe, small }: { subscribe: ReactNode; small: ReactNode }) {
  const contact = useContext(ContactContext);
  const { footer } = useBrand();
  const link = `${LINE} min-w-8 underline-offset-4 hover:underline`;
  return (
    <footer className="mt-20 bg-ink text-paper [--page:111rem] [--ring:var(--color-paper)] print:hidden">
      <div className="page grid grid-cols-[repeat(auto-fill,minmax(max(5.5rem,28%),1fr))] gap-x-2 gap-y-5 pt-6 pb-4 sm:gap-y-10 sm:py-14 lg:grid-cols-[1fr_1fr_1fr_1.4fr]">
        <FooterColumn title="WELCOME">
          <Link to="/shop" className={link}>
            SHOP
          </Link>{" "}
          <Link to="/about" className={link}>
            ABOUT
          </Link>{" "}
          <span className={LINE}>CONTACT</span>
        </FooterColumn>
        <FooterColumn title="SUPPORT">
          <Link to="/returnpolicy" className={link}>
            RETURNS
          </Link>{" "}
          <Link to="/shipping-policy" className={link}>
            SHIPPING
          </Link>{" "}
          <Link to="/privacy-policy" className={link}>
            PRIVACY
          </Link>{" "}
          {contact?.whatsappUrl && (
            <a href={contact.whatsappUrl} rel="noopener" className={link}>
              WHATSAPP
            </a>
          )}
        </FooterColumn>
        <FooterColumn title="CONNECT">
          {contact?.instagramUrl && (
            <a href={contact.instagramUrl} rel="noopener" className={link}>
              INSTAGRAM
            </a>
          )}{" "}
          {contact && (
            <a href={mailtoHref(contact.email)} className={link}>
              EMAIL
            </a>
          )}{" "}
          {contact?.xUrl && (
            <a href={contact.xUrl} rel="noopener" className={link}>
              X
            </a>
          )}
        </FooterColumn>
        <div className="col-span-full lg:col-span-1">{subscribe}</div>
      </div>
      <div className="page flex flex-wrap items-start gap-x-6 border-t border-paper/20 text-sm leading-5 text-paper/80 sm:py-2">
        <p className="flex-[1_0_10rem] py-1.5 text-balance sm:py-3">{footer}</p>
        {small}
      </div>
    </footer>
  );
}

function FooterColumn({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid content-start justify-items-start">
      <h2 className="label text-paper/70 sm:mb-2">{title}</h2>
      {children}
    </div>
  );
}
