import type { ReactNode } from "react";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  useRouteLoaderData,
  UNSAFE_useScrollRestoration as useScrollRestoration,
} from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { knownShopSettings, shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { ContactContext } from "#app/ui/frame/contact.tsx";
import { ErrorOf } from "#app/ui/frame/error-page.tsx";
import { inLastFrame } from "#app/ui/frame/last-frame.browser.ts";
import { OfflineBar } from "#app/ui/frame/offline-bar.tsx";
import type { Route } from "./+types/root";
import display from "./ui/display.css?url";
import { useLeaving } from "./ui/leaving.browser.ts";
import { FollowLinks } from "./ui/link.tsx";
import { Pending } from "./ui/pending.tsx";
import { Toaster } from "./ui/toaster.tsx";
import tokens from "./ui/tokens.css?url";

const FONTS = ["latin", "latin-ext"];

/** The page of an error knows the last that was known, too. */
export async function loader() {
  const { contact } = await shopSettings(db()).catch(knownShopSettings);
  return { contact };
}

export function Layout({ children }: { children: ReactNode }) {
  const contact = useRouteLoaderData<typeof loader>("root")?.contact;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#fbf8f2" />
        {/* With a precedence React puts it before the scripts, which would else keep the connections busy. */}
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
        <ContactContext value={contact}>{children}</ContactContext>
        <OfflineBar />
        <Toaster />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  useScrollRestoration(); // without its component's script, which reads the storage before the first paint: infra/http/deferred-hydration.server.ts does that later
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
