import { isRouteErrorResponse } from "react-router";
import { ButtonLink } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** What stands where a page has failed. */
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

/** `again`: the page may come another time. */
export function ErrorPage({ title, text, again = false }: { title: string; text: string; again?: boolean }) {
  return (
    <Notice title={title}>
      <p className="text-lg">{text}</p>
      <div className="flex flex-wrap justify-center gap-3">
        {again && (
          <ButtonLink to="" reload>
            Try again
          </ButtonLink>
        )}
        <ButtonLink to="/shop" look={again ? "outline" : "solid"}>
          To the shop
        </ButtonLink>
      </div>
    </Notice>
  );
}
