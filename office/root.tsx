import type { ReactNode } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useRouteError,
  useRouteLoaderData,
} from "react-router";
import { BrandContext, useBrand } from "#app/brand/context.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { brandNow } from "#app/infra/settings/shop-settings.server.ts";
import { ButtonLink } from "./frame/button.tsx";
import css from "./frame/office.css?url";

/** The shop's name, which is in the title of every screen. */
export async function loader() {
  return { brand: await brandNow(db) };
}

/** Loads the name with the document, and again only after the form that changes it, to save a query per screen. */
export function shouldRevalidate({ formAction, actionResult }: ShouldRevalidateFunctionArgs): boolean {
  return formAction === "/shop/name" && !actionResult?.isOffline;
}

export function Layout({ children }: { children: ReactNode }) {
  const { brand } = useRouteLoaderData<typeof loader>("root") ?? {};
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <meta name="theme-color" content="#fbf8f2" />
        <link rel="stylesheet" href={css} precedence="default" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/office.webmanifest" />
        <link rel="apple-touch-icon" href="/icon-192.png" />
        <Meta />
        <Links />
      </head>
      <body>
        <BrandContext value={brand}>{children}</BrandContext>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Office() {
  return <Outlet />;
}

/** Shown if the frame itself has failed. */
export function ErrorBoundary() {
  return (
    <main className="mx-auto grid min-h-screen max-w-90 content-center gap-4 p-4">
      <ScreenError error={useRouteError()} />
    </main>
  );
}

/** Shown in place of a screen that has failed. */
export function ScreenError({ error }: { error: unknown }) {
  const { name } = useBrand();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = TEXTS[status] ?? OUR_FAULT;
  return (
    <>
      <title>{`${title} · ${name} office`}</title>
      <h1>{title}</h1>
      <p className="text-muted">{text}</p>
      <p className="flex gap-2">
        {status >= 500 && (
          <ButtonLink to="" reloadDocument>
            Try again
          </ButtonLink>
        )}
        <ButtonLink to="/" look="line">
          Go to Today
        </ButtonLink>
      </p>
    </>
  );
}

const LOOK_FIRST = "If you’d just pressed something, check whether it was done.";
const OUR_FAULT = { title: "Something went wrong", text: `Please try again in a moment. ${LOOK_FIRST}` };
const TEXTS: Record<number, { title: string; text: string }> = {
  403: { title: "Not for your role", text: "An owner can give you another role. Nothing was changed." },
  404: { title: "There’s nothing here", text: "This page doesn’t exist, or it’s gone." },
  504: { title: "No connection", text: `Please try again when you are back. ${LOOK_FIRST}` },
  503: { title: "The database isn’t answering", text: `Please try again in a moment. ${LOOK_FIRST}` },
};
