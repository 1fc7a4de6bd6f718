import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import { renderToReadableStream, renderToString } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, ServerRouter } from "react-router";
import { isDatabaseAway } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import {
  type PageWithScripts,
  withDeferredHydration,
  withImmediateHydration,
} from "#app/infra/http/deferred-hydration.server.ts";
import { isTooLarge, tooLarge } from "#app/infra/http/form-post.server.ts";
import { contentSecurityPolicy } from "#app/infra/http/headers.server.ts";
import { loggedPath } from "#app/infra/http/logged-path.ts";
import { currentRequest } from "#app/infra/http/request-context.server.ts";
import { log } from "#app/infra/log.server.ts";
import { RequestId } from "#app/ui/frame/error-page.tsx";

/**
 * The nonce that marks the router's own inline scripts in a rendered page. It is removed before the page leaves this
 * process.
 */
const MARK = randomBytes(16).toString("base64url");

/**
 * Renders a page as a whole instead of streaming it: its data is complete, its policy depends on all of its scripts,
 * and a rendered page is shared by many visitors.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (isTooLarge(context)) return tooLarge();
  const page = { ...context, manifest: onlyMatched(context) };
  const render = env.DEFER_HYDRATION ? renderDeferred : renderAsRouter;
  const { html, scripts } = await render(page, request.url);
  headers.set("Content-Security-Policy", contentSecurityPolicy(scripts));
  return new Response(`<!DOCTYPE html>${html.replace(/^<!DOCTYPE html>/, "")}`, { status, headers });
}

async function renderDeferred(page: EntryContext, url: string): Promise<PageWithScripts> {
  const data = await text(page.serverHandoffStream as ReadableStream);
  const rendered = renderToString(<Page context={{ ...page, serverHandoffStream: undefined }} url={url} />);
  return withDeferredHydration(rendered, data, MARK);
}

/** Renders as the router does by default: the loaders' data follows the page in suspended parts. */
async function renderAsRouter(page: EntryContext, url: string): Promise<PageWithScripts> {
  const stream = await renderToReadableStream(<Page context={page} url={url} />, { nonce: MARK });
  await stream.allReady;
  return withImmediateHydration(await text(stream as ReadableStream), MARK);
}

function Page({ context, url }: { context: EntryContext; url: string }) {
  return (
    <RequestId value={currentRequest()?.id ?? ""}>
      <ServerRouter context={context} url={url} nonce={MARK} />
    </RequestId>
  );
}

/**
 * Logs an error thrown by a page or a form. Not logged: aborted requests, outages of the database (logged elsewhere),
 * and responses below 500 such as 404.
 */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || isDatabaseAway() || (isRouteErrorResponse(error) && error.status < 500)) return;
  log.error({ err: error, path: loggedPath(new URL(request.url).pathname) }, "request failed");
};

/** The manifest with only this page's routes: the router would otherwise build all of them again for each page. */
function onlyMatched({ manifest, staticHandlerContext }: EntryContext): EntryContext["manifest"] {
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  return { ...manifest, routes: Object.fromEntries(ids.map((id) => [id, manifest.routes[id]])) };
}
