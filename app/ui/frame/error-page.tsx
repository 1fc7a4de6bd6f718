import { createContext, useContext } from "react";
import { isRouteErrorResponse } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { Help } from "./help.tsx";
import { Notice } from "./notice.tsx";

/** The id of the request for this page, known on the server; its text stays when the browser hydrates the page. */
export const RequestId = createContext("");

/** Shown in place of a page that has failed. */
export function ErrorOf({ error }: { error: unknown }) {
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const offline = typeof navigator !== "undefined" && navigator.onLine === false;
  if (missing) return <ErrorPage title="Page not found" text="This page does not exist, or it has moved." />;
  if (offline)
    return (
      <ErrorPage
        title="You are offline"
        text="What you asked for needs the network. Nothing is lost: your cart waits."
        again
      />
    );
  return (
    <ErrorPage
      title="Something went wrong"
      text="It is our fault, and nothing of yours is lost. Please try again in a moment."
      again
    />
  );
}

/** `again`: trying again may help. */
export function ErrorPage({ title, text, again = false }: { title: string; text: string; again?: boolean }) {
  const requestId = useContext(RequestId);
  return (
    <Notice title={title}>
      <p className="text-lg">{text}</p>
      {again && (
        <p className="text-sm text-muted empty:hidden" suppressHydrationWarning>
          {requestId && `If you write to us about it, please name ${requestId}.`}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {again && (
          <ButtonLink to="" reloadDocument>
            Try again
          </ButtonLink>
        )}
        <ButtonLink to="/shop" look={again ? "outline" : "solid"}>
          To the shop
        </ButtonLink>
      </div>
      <Help />
    </Notice>
  );
}
