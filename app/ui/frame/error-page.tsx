import { createContext, useContext, useEffect } from "react";
import { isRouteErrorResponse } from "react-router";
import { useBrand } from "#app/brand/context.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Help } from "./help.tsx";
import { Notice } from "./notice.tsx";

/** The id of the page's request. Only the server knows it; the rendered text is kept when the page is hydrated. */
export const RequestId = createContext("");

/** Shown in place of a page that failed. */
export function ErrorOf({ error }: { error: unknown }) {
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const offline = typeof navigator !== "undefined" && navigator.onLine === false;
  if (missing) return <ErrorPage title="Page not found" text="This page doesn’t exist, or it has moved." />;
  if (offline) return <OfflinePage />;
  return (
    <ErrorPage
      title="Something went wrong"
      text="It’s our fault, and nothing of yours is lost. Please try again in a moment."
      again
    />
  );
}

/** Reloads the page when the network is back. */
function OfflinePage() {
  useEffect(() => {
    const load = () => location.reload();
    addEventListener("online", load);
    return () => removeEventListener("online", load);
  }, []);
  return <ErrorPage title="You’re offline" text="You need a connection for this. Your cart is safe." again />;
}

/** `again`: another attempt may succeed, so the page offers one. */
export function ErrorPage({ title, text, again = false }: { title: string; text: string; again?: boolean }) {
  const requestId = useContext(RequestId);
  const { name } = useBrand();
  return (
    <Notice title={title}>
      <title>{`${title} | ${name}`}</title>
      <meta name="robots" content="noindex" />
      <p className="text-lg">{text}</p>
      {again && (
        <p className="text-sm text-muted empty:hidden" suppressHydrationWarning>
          {requestId && `If you email us about it, please mention ${requestId}.`}
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
