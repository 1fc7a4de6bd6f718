import { lazy, Suspense, useEffect, useRef } from "react";
import { Form, Link, NavLink, Outlet, useFetcher, useLocation } from "react-router";
import { AuthDialogPlace } from "#app/account/auth-dialog-place.tsx";
import { showAuthDialog } from "#app/account/auth-dialog-store.ts";
import { useSessionCheck, useUser } from "#app/account/session-summary.ts";
import { useSignOut } from "#app/account/sign-out.tsx";
import { useCartCount, useCartDrawer, useRememberCount } from "#app/cart/cart-store.ts";
import { CurrencyDialog, useCurrency } from "#app/catalog/currency.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { messages } from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { CartIcon, HomeIcon, PersonIcon, ShopIcon } from "#app/ui/icons.tsx";
import { canonicalPath } from "#app/ui/page-meta.ts";
import { toast } from "#app/ui/toaster.tsx";
import { Wordmark } from "#app/ui/wordmark.tsx";
import type { Route } from "./+types/layout";

const CartDrawer = lazy(() => import("#app/cart/cart-drawer.tsx").then((module) => ({ default: module.CartDrawer })));

/** The same for everybody: who is signed in and what lies in the cart comes in the browser. */
export async function loader() {
  return {
    rate: (await rateInForce(db())).rate,
    demo: env.demoPayments,
    google: Boolean(env.google),
    site: env.publicUrl.origin,
  };
}

export default function Frame({ loaderData: { rate, demo, google, site } }: Route.ComponentProps) {
  useSessionCheck(useRememberCount());
  const path = canonicalPath(useLocation().pathname);
  return (
    <>
      {path && <link rel="canonical" href={site + path} />}
      <a href="#main" className="label sr-only bg-ink p-4 text-paper focus:not-sr-only focus:fixed focus:z-50">
        To the content
      </a>
      {demo && (
        <aside aria-label="Demo" className="bg-cocoa px-4 py-1.5 text-center text-sm text-paper">
          Demo shop: payments are simulated, nothing is sent.{" "}
          <Link to="/demo/mail" className="underline underline-offset-2">
            Your mails
          </Link>
        </aside>
      )}
      <Header />
      <Content />
      <Footer />
      <BottomNavigation />
      <Drawer rate={rate} />
      <AuthDialogPlace google={google} />
      <CurrencyDialog />
    </>
  );
}

/** After a navigation the focus goes to the new page's content, so that a screen reader begins there. */
function Content() {
  const { pathname } = useLocation();
  const main = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what triggers it
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <div id="main" ref={main} tabIndex={-1} className="min-h-[60vh] outline-none">
      <Outlet />
    </div>
  );
}

function Drawer({ rate }: { rate: Rate }) {
  const { isOpen } = useCartDrawer();
  const used = useRef(false);
  used.current ||= isOpen;
  if (!used.current) return null;
  return (
    <Suspense>
      <CartDrawer rate={rate} onGuest={() => showAuthDialog("login", "/checkout")} />
    </Suspense>
  );
}

const TOP_LINK =
  "label inline-flex min-h-11 items-center underline-offset-6 hover:underline aria-[current=page]:underline";

function Header() {
  const count = useCartCount();
  const drawer = useCartDrawer();
  return (
    <header className="sticky top-0 z-30 border-b border-hairline bg-paper">
      <div className="page grid h-14 grid-cols-[1fr_auto_1fr] items-center lg:h-16">
        <nav aria-label="Main" className="hidden gap-8 lg:flex">
          <NavLink to="/shop" className={TOP_LINK}>
            SHOP
          </NavLink>
          <NavLink to="/about" className={TOP_LINK}>
            ABOUT
          </NavLink>
        </nav>
        <Wordmark className="col-start-2" />
        <div className="col-start-3 hidden justify-end gap-8 lg:flex">
          <AccountLink />
          <Link
            to="/Cart"
            className={`${TOP_LINK} min-w-20 justify-end`}
            onClick={(event) => {
              event.preventDefault();
              drawer.open();
            }}
          >
            CART ({count})
          </Link>
        </div>
      </div>
    </header>
  );
}

function AccountLink() {
  const user = useUser();
  const signOut = useSignOut();
  if (!user) {
    return (
      <>
        <Link to="/login" className={`${TOP_LINK} [@media(scripting:none)]:hidden`}>
          LOGIN
        </Link>
        <noscript>
          <Link to="/account" className={TOP_LINK}>
            ACCOUNT
          </Link>
        </noscript>
      </>
    );
  }
  return (
    <details
      className="relative"
      onBlur={(event) =>
        event.currentTarget.contains(event.relatedTarget) || event.currentTarget.removeAttribute("open")
      }
    >
      <summary className={`${TOP_LINK} max-w-40 truncate`}>{user.firstName || "ACCOUNT"}</summary>
      <div className="absolute right-0 grid min-w-44 border border-hairline bg-paper p-2 shadow-overlay">
        <Link to="/account" className="label min-h-11 content-center px-3 hover:bg-linen">
          My Account
        </Link>
        <Form method="post" action="/logout" onSubmit={signOut}>
          <button type="submit" className="label min-h-11 w-full px-3 text-left hover:bg-linen">
            Log Out
          </button>
        </Form>
      </div>
    </details>
  );
}

function BottomNavigation() {
  const count = useCartCount();
  const user = useUser();
  const item =
    "relative grid min-h-14 flex-1 justify-items-center gap-0.5 pt-2 pb-1 text-[0.6875rem] font-semibold aria-[current=page]:text-palm";
  return (
    <nav
      aria-label="Shop"
      className="sticky bottom-0 z-30 flex border-t border-hairline bg-paper pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      <NavLink to="/" className={item}>
        <HomeIcon /> Home
      </NavLink>
      <NavLink to="/shop" className={item}>
        <ShopIcon /> Shop
      </NavLink>
      <NavLink to="/Cart" className={item}>
        <CartIcon /> Cart
        {count > 0 && (
          <span className="price absolute top-1 left-1/2 ml-1 min-w-5 rounded-full bg-ember-deep px-1 text-center text-xs leading-5 text-white">
            {count}
          </span>
        )}
      </NavLink>
      <NavLink to={user ? "/account" : "/login"} className={item}>
        <PersonIcon /> {user ? "Account" : "Login"}
      </NavLink>
    </nav>
  );
}

function Footer() {
  const link = "inline-flex min-h-11 items-center underline-offset-4 hover:underline";
  return (
    <footer className="mt-20 bg-ink text-paper">
      <div className="page grid gap-10 py-14 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_1.4fr]">
        <FooterColumn title="WELCOME">
          <Link to="/shop" className={link}>
            SHOP
          </Link>
          <Link to="/about" className={link}>
            ABOUT
          </Link>
          <span className="inline-flex min-h-11 items-center">CONTACT</span>
        </FooterColumn>
        <FooterColumn title="SUPPORT">
          <Link to="/returnpolicy" className={link}>
            RETURNS
          </Link>
          <Link to="/shipping-policy" className={link}>
            SHIPPING
          </Link>
          <Link to="/privacy-policy" className={link}>
            PRIVACY
          </Link>
        </FooterColumn>
        <FooterColumn title="CONNECT">
          <a href="https://www.instagram.com/irepo" rel="noopener" className={link}>
            INSTAGRAM
          </a>
          <a href="mailto:hello@irepo.example" className={link}>
            EMAIL
          </a>
          <a href="https://x.com/irepo" rel="noopener" className={link}>
            X
          </a>
        </FooterColumn>
        <Subscribe />
      </div>
      <div className="page flex flex-wrap items-center justify-between gap-x-6 border-t border-paper/20 py-4 text-sm text-paper/80">
        <p>© 2026 IREPO. Prices in USD; cards are charged in naira (NGN).</p>
        <CurrencyButton />
      </div>
    </footer>
  );
}

function CurrencyButton() {
  const { currency, ask } = useCurrency();
  return (
    <button
      type="button"
      onClick={ask}
      className="min-h-11 underline underline-offset-4 [@media(scripting:none)]:hidden"
    >
      Currency: {currency}
    </button>
  );
}

function FooterColumn({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="grid content-start justify-items-start">
      <h2 className="label mb-2 text-paper/70">{title}</h2>
      {children}
    </div>
  );
}

type SubscribeAnswer = { ok: boolean; message: string };

function Subscribe() {
  const fetcher = useFetcher<SubscribeAnswer>();
  const form = useRef<HTMLFormElement>(null);
  const answer = fetcher.state === "idle" ? fetcher.data : undefined;
  useEffect(() => {
    if (!answer) return;
    if (answer.ok) {
      toast.success(messages.subscribe.done);
      form.current?.reset();
    } else toast.error(answer.message);
  }, [answer]);
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action="/subscribe"
      noValidate
      className="grid content-start gap-3 [&_input]:border-paper/50 [&_input]:bg-ink [&_input]:text-paper"
    >
      <h2 className="label text-paper/70">Subscribe</h2>
      <p>New pieces first, and nothing else.</p>
      <Field label="First name" name="firstName" autoComplete="given-name" />
      <Field label="Email" name="email" type="email" autoComplete="email" />
      {answer && !answer.ok && <p className="text-sm">{answer.message}</p>}
      <Button
        look="outline"
        className="border-paper text-paper hover:bg-paper hover:text-ink"
        busy={fetcher.state !== "idle"}
      >
        Subscribe
      </Button>
    </fetcher.Form>
  );
}
