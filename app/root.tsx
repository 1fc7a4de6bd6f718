import type { ReactNode } from "react";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  useRouteLoaderData,
  UNSAFE_useScrollRestoration as useScrollRestoration,
} from "react-router";
import { BrandContext } from "#app/brand/context.tsx";
import { RenderedCurrency, useChoiceCookie, useCurrency } from "#app/catalog/currency/choice.browser.ts";
import { leadingCurrencyOf } from "#app/catalog/currency/leading.server.ts";
import { ownMessages } from "#app/content/own-messages.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { knownShopSettings, shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { putMessages } from "#app/messages/own.ts";
import { NumbersContext } from "#app/numbers/context.tsx";
import { ContactContext } from "#app/ui/frame/contact.tsx";
import { ErrorOf } from "#app/ui/frame/error-page.tsx";
import { inLastFrame } from "#app/ui/frame/last-frame.browser.tsx";
import { OfflineBar } from "#app/ui/frame/offline-bar.tsx";
import type { Route } from "./+types/root";
import display from "./ui/display.css?url";
import { useLeaving } from "./ui/leaving.browser.ts";
import { FollowLinks } from "./ui/link.tsx";
import { Pending } from "./ui/pending.tsx";
import { Toaster } from "./ui/toaster.tsx";
import tokens from "./ui/tokens.css?url";

const FONTS = ["latin", "naira"];

/** If the settings cannot be read, the last known ones are used, so that an error page has them, too. */
export async function loader({ request }: Route.LoaderArgs) {
  const settings = await shopSettings(db()).catch(knownShopSettings);
  const { contact, brand, numbers } = settings;
  const messages = ownMessages(settings);
  putMessages(messages); // for this process; in a browser, the page does so
  return {
    contact,
    currency: leadingCurrencyOf(request),
    ...(brand && { brand }),
    ...(numbers && { numbers }),
    ...(messages && { messages }),
  };
}

export function Layout({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>("root");
  const { contact, brand, numbers, currency = "USD" } = data ?? {};
  if (data && typeof document !== "undefined") putMessages(data.messages); // before anything here reads a sentence
  return (
    <RenderedCurrency value={currency}>
      <ContactContext value={contact}>
        <BrandContext value={brand}>
          <NumbersContext value={numbers}>
            <Document>{children}</Document>
          </NumbersContext>
        </BrandContext>
      </ContactContext>
    </RenderedCurrency>
  );
}

function Document({ children }: { children: ReactNode }) {
  const { currency } = useCurrency();
  useChoiceCookie();
  return (
    // By this attribute, CSS orders the page's prices (tokens.css). A script in the head sets it to an earlier choice.
    <html lang="en" data-currency={currency} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#fbf8f2" />
        {/* With a precedence, React puts style sheets before scripts, which would otherwise take the connections. */}
        <link rel="stylesheet" href={tokens} precedence="default" />
        <link rel="stylesheet" href={display} precedence="default" />
        {FONTS.map((part) => (
          <link
            key={part}
            rel="preload"
            href={`/fonts/archivo-${part}.woff2`}
            as="font"
            type="font/woff2"
            crossOrigin="anonymous"
          />
        ))}
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="apple-touch-icon" href="/icon-192.png" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <OfflineBar />
        <Toaster />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  // Not <ScrollRestoration>, whose script reads the storage before the first paint:
  // infra/http/deferred-hydration.server.ts does that later.
  useScrollRestoration();
  useLeaving();
  return (
    <>
      <Outlet />
      <Pending />
      <FollowLinks />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return inLastFrame(<ErrorOf error={error} />);
}
