import { type ReactNode, useContext, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { showAuthDialog } from "#app/account/auth-dialog.browser.ts";
import { AuthDialogPlace } from "#app/account/auth-dialog-place.tsx";
import { AccountLink } from "#app/account/header-link.tsx";
import { currentUser } from "#app/account/session/store.server.ts";
import { useSessionCheck, useUser } from "#app/account/session/summary.browser.ts";
import { countCart } from "#app/cart/cart.server.ts";
import { CartIconLink, CartLink } from "#app/cart/link.tsx";
import { useNoScriptCart } from "#app/cart/no-script-cart.browser.ts";
import { countNoScriptItems } from "#app/cart/no-script-cart.server.ts";
import { rememberCount, useCartCount, useCartDrawer } from "#app/cart/store.browser.ts";
import { useAskedCurrency } from "#app/catalog/currency/ask.browser.ts";
import { CurrencyButton } from "#app/catalog/currency/button.tsx";
import { useDetectedCurrency } from "#app/catalog/currency/choice.browser.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { SubscribeForm } from "#app/newsletter/subscribe-form.tsx";
import { DeliverTo } from "#app/shipping/place/deliver-to.tsx";
import { barHtml } from "#app/ui/frame/bar.server.tsx";
import { BottomNavigation } from "#app/ui/frame/bottom-navigation.tsx";
import { CalmHeader, ShortFooter } from "#app/ui/frame/calm.tsx";
import { ContactContext } from "#app/ui/frame/contact.tsx";
import { ErrorOf } from "#app/ui/frame/error-page.tsx";
import { Footer } from "#app/ui/frame/footer.tsx";
import { Header } from "#app/ui/frame/header.tsx";
import { inLastFrame, useLastFrame } from "#app/ui/frame/last-frame.browser.ts";
import { canonicalPath } from "#app/ui/frame/paths.ts";
import { useGoesWithPage } from "#app/ui/frame/with-page.browser.ts";
import { toast } from "#app/ui/toaster.tsx";
import { useArrivalFocus } from "#app/ui/use-arrival-focus.browser.ts";
import { useLater } from "#app/ui/use-later.browser.ts";
import type { Route } from "./+types/layout";

/**
 * The same for everybody, but for the numbers in the cart, which are 0 on pages that are kept: their loaders get no cookie. A script asks for who is
 * signed in and what is in the account's cart by itself.
 */
export async function loader({ request }: Route.LoaderArgs) {
  const [cart, { rate }, { notice }] = await Promise.all([
    currentUser(request).then((user) => user && countCart(db(), user.id)),
    rateInForce(db()),
    shopSettings(db()),
  ]);
  return {
    noScriptCount: countNoScriptItems(request),
    accountCount: cart?.count ?? 0,
    rate,
    bar: barHtml({ demo: env.demoPayments, demoMail: env.demoMail, notice }),
    google: Boolean(env.google),
    site: env.publicUrl.origin,
  };
}

type FrameData = Route.ComponentProps["loaderData"];

export default function Layout({ loaderData }: Route.ComponentProps) {
  const contact = useContext(ContactContext);
  useLastFrame((page) => (
    <ContactContext value={contact}>
      <Frame {...loaderData}>{page}</Frame>
    </ContactContext>
  ));
  return (
    <Frame {...loaderData}>
      <Outlet />
    </Frame>
  );
}

/** Where only the page inside has failed, the frame stays. */
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
  useDetectedCurrency();
  const count = useCartCount() + (useNoScriptCart(noScriptCount > 0) ? noScriptCount : 0);
  const path = canonicalPath(useLocation().pathname);
  const isCheckout = path === "/checkout";
  const isSignedIn = useUser() !== null;
  return (
    <>
      {path && <link rel="canonical" href={site + path} />}
      <a href="#main" className="label sr-only bg-ink p-4 text-paper focus:not-sr-only focus:fixed focus:z-50">
        To the content
      </a>
      {bar && (
        <aside
          aria-label="Notice"
          className="relative z-30 bg-cocoa text-sm text-paper [--ring:var(--color-paper)] print:hidden"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has made it, and escaped what the owner has written
          dangerouslySetInnerHTML={{ __html: bar }}
        />
      )}
      {isCheckout ? (
        <CalmHeader />
      ) : (
        <Header small={<CartIconLink count={count} withoutScript={accountCount} />}>
          <AccountLink />
          <CartLink count={count} withoutScript={accountCount} />
        </Header>
      )}
      <Content>{children}</Content>
      {isCheckout ? (
        <ShortFooter />
      ) : (
        <>
          <Footer subscribe={<SubscribeForm />} small={<CurrencyButton />} />
          <BottomNavigation count={count} countWithoutScript={accountCount} signedIn={isSignedIn} />
        </>
      )}
      <Drawer rate={rate} />
      <AuthDialogPlace google={google} />
      <CurrencyPlace />
    </>
  );
}

function Content({ children }: { children: ReactNode }) {
  const main = useRef<HTMLDivElement>(null);
  useArrivalFocus(main, useLocation().pathname);
  return (
    <div id="main" ref={main} tabIndex={-1} className="min-h-[60vh] outline-none">
      {children}
    </div>
  );
}

/** Few ask for it: its code is fetched when it is first wanted. */
function CurrencyPlace() {
  const { isOpen, close } = useAskedCurrency();
  useGoesWithPage(close);
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
  useGoesWithPage(close);
  const drawer = useLater(
    isOpen,
    () => import("#app/cart/drawer.tsx"),
    () => {
      close();
      toast.error(messages.form.unavailable);
    },
  );
  if (!drawer) return null;
  const delivery = <DeliverTo rate={rate}>{"Delivery is added for your place. "}</DeliverTo>;
  return <drawer.CartDrawer rate={rate} delivery={delivery} onGuest={() => showAuthDialog("login", "/checkout")} />;
}
