import { type ReactNode, useContext, useRef } from "react";
import { Outlet, useLocation, useRouteLoaderData } from "react-router";
import { showAuthDialog } from "#app/account/auth-dialog.browser.ts";
import { AuthDialogPlace } from "#app/account/auth-dialog-place.tsx";
import { AccountLink } from "#app/account/header-link.tsx";
import { currentShopper } from "#app/account/session/store.server.ts";
import { useSessionCheck, useUser } from "#app/account/session/summary.browser.ts";
import { BrandContext } from "#app/brand/context.tsx";
import { CartLink } from "#app/cart/link.tsx";
import { useNoScriptCart } from "#app/cart/no-script-cart.browser.ts";
import { countNoScriptItems } from "#app/cart/no-script-cart.server.ts";
import { rememberCount, useCartCount, useCartDrawer } from "#app/cart/store.browser.ts";
import { useAskedCurrency } from "#app/catalog/currency/ask.browser.ts";
import { CurrencyButton } from "#app/catalog/currency/button.tsx";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { findPreview } from "#app/content/preview/preview.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { SubscribeForm } from "#app/newsletter/subscribe-form.tsx";
import { DeliverTo } from "#app/shipping/place/deliver-to.tsx";
import { barHtml } from "#app/ui/frame/bar.server.tsx";
import { BottomNavigation } from "#app/ui/frame/bottom-navigation.tsx";
import { type Back, CalmHeader, ShortFooter } from "#app/ui/frame/calm.tsx";
import { ContactContext } from "#app/ui/frame/contact.tsx";
import { ErrorOf } from "#app/ui/frame/error-page.tsx";
import { Footer } from "#app/ui/frame/footer.tsx";
import { Header } from "#app/ui/frame/header.tsx";
import { inLastFrame, useLastFrame } from "#app/ui/frame/last-frame.browser.tsx";
import { NoticeBar } from "#app/ui/frame/notice-bar.tsx";
import { canonicalPath } from "#app/ui/frame/paths.ts";
import { useGoesWithPage } from "#app/ui/frame/with-page.browser.ts";
import { toast } from "#app/ui/toaster.tsx";
import { useArrivalFocus } from "#app/ui/use-arrival-focus.browser.ts";
import { useLater } from "#app/ui/use-later.browser.ts";
import type { Route as Checkout } from "./+types/checkout";
import type { Route } from "./+types/layout";
import type { Route as Returning } from "./+types/order-return";

/**
 * Pages of an order. Their loader may be removing the paid units from the cart at the same time, so the count is not
 * read.
 */
const ORDER = /^\/order\//i;
/** Pages with the short footer: of an order, and for signing in. */
const SHORT =
  /^\/(order\/|(login|register|forgotPassword|checkMail|resetPassword|verifyMail|verification|signIn)\/?$)/i;

/**
 * The same data for everybody, except for the counts of the cart. Cached pages have no counts, since their loaders get
 * no cookies. A script loads the signed-in user and the count of the account's cart separately.
 */
export async function loader({ request }: Route.LoaderArgs) {
  const knowsCart = !ORDER.test(new URL(request.url).pathname);
  const [shopper, { rate }, { notice }, preview] = await Promise.all([
    knowsCart ? currentShopper(request) : undefined,
    rateInForce(db()),
    shopSettings(db()),
    findPreview(db(), request.headers.get("cookie") ?? ""),
  ]);
  return {
    noScriptCount: countNoScriptItems(request),
    accountCount: shopper?.cartCount,
    rate,
    bar: barHtml({ demo: env.demoPayments, demoMail: env.demoMail, notice, draft: preview !== undefined }),
    google: Boolean(env.google),
    site: env.publicUrl.origin,
  };
}

type FrameData = Route.ComponentProps["loaderData"];

export default function Layout({ loaderData }: Route.ComponentProps) {
  const contact = useContext(ContactContext);
  const brand = useContext(BrandContext);
  useLastFrame((page) => (
    <ContactContext value={contact}>
      <BrandContext value={brand}>
        <Frame {...loaderData}>{page}</Frame>
      </BrandContext>
    </ContactContext>
  ));
  return (
    <Frame {...loaderData}>
      <Outlet />
    </Frame>
  );
}

/** If only the page inside has failed, the frame stays visible. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const page = <ErrorOf error={error} />;
  return loaderData ? <Frame {...loaderData}>{page}</Frame> : inLastFrame(page);
}

function Frame({
  noScriptCount,
  accountCount,
  rate,
  bar,
  google,
  site,
  children,
}: FrameData & { children: ReactNode }) {
  useSessionCheck(rememberCount);
  const inCookie = useNoScriptCart(noScriptCount > 0) ? noScriptCount : 0;
  const inBrowser = useCartCount();
  const count = inBrowser === undefined ? (accountCount ?? (inCookie || undefined)) : inBrowser + inCookie;
  const { pathname } = useLocation();
  const path = canonicalPath(pathname);
  const back = useFormIsShown();
  const isSignedIn = useUser() !== null;
  return (
    <>
      {path && <link rel="canonical" href={site + path} />}
      <a href="#main" className="label sr-only bg-ink p-4 text-paper focus:not-sr-only focus:fixed focus:z-50">
        To the content
      </a>
      <NoticeBar bar={bar} />
      {back ? (
        <CalmHeader {...back} />
      ) : (
        <Header>
          <AccountLink /> <CartLink count={count} />
        </Header>
      )}
      <Content>{children}</Content>
      {back || SHORT.test(pathname) ? (
        <ShortFooter />
      ) : (
        <Footer subscribe={<SubscribeForm />} small={<CurrencyButton />} />
      )}
      {!back && <BottomNavigation count={count} signedIn={isSignedIn} />}
      <Drawer rate={rate} />
      <AuthDialogPlace google={google} />
      <CurrencyPlace />
    </>
  );
}

/**
 * Where a long form leads back to: the checkout's, with a payment under way, too, or a return's. Undefined on all other
 * pages, also where these pages have no form: before a login, without pieces, after the last day for a return.
 */
function useFormIsShown(): Back | undefined {
  const checkout = useRouteLoaderData("routes/checkout") as Checkout.ComponentProps["loaderData"] | undefined;
  const returning = useRouteLoaderData("routes/order-return") as Returning.ComponentProps["loaderData"] | undefined;
  if (returning?.offer) return { to: `/order/${returning.reference}`, label: `Order ${returning.number}` };
  if (!checkout?.user) return;
  const isShown = checkout.lines.length > 0 || (checkout.awaited !== undefined && !checkout.paysAnotherWay);
  return isShown ? { to: "/Cart", label: "Back to cart" } : undefined;
}

function Content({ children }: { children: ReactNode }) {
  const main = useRef<HTMLDivElement>(null);
  const { pathname, hash } = useLocation();
  useArrivalFocus(main, pathname + hash);
  return (
    <div id="main" ref={main} tabIndex={-1} className="min-h-[60vh] outline-none">
      {children}
    </div>
  );
}

/** The place of the currency dialog. Few visitors use it, so its code is loaded when it first opens. */
function CurrencyPlace() {
  const { isOpen, close } = useAskedCurrency();
  useGoesWithPage(isOpen, close);
  const dialog = useLater(
    isOpen,
    () => import("#app/catalog/currency/dialog.tsx"),
    () => {
      close();
      toast.error(messages.form.unavailable);
    },
  );
  return dialog && <dialog.CurrencyDialog />;
}

function Drawer({ rate }: { rate: Rate }) {
  const { isOpen, close } = useCartDrawer();
  useGoesWithPage(isOpen, close);
  const drawer = useLater(
    isOpen,
    () => import("#app/cart/drawer.tsx"),
    () => {
      close();
      toast.error(messages.form.unavailable);
    },
  );
  if (!drawer) return null;
  const delivery = <DeliverTo rate={rate}>{"Delivery is added for your location. "}</DeliverTo>;
  return <drawer.CartDrawer rate={rate} delivery={delivery} onGuest={() => showAuthDialog("login", "/checkout")} />;
}
