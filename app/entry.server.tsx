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
import { contentSecurityPolicy } from "#app/infra/http/headers.server.ts";
import { currentRequest } from "#app/infra/http/request-context.server.ts";
import { log } from "#app/infra/log.server.ts";
import { RequestId } from "#app/ui/frame/error-page.tsx";

/** The nonce by which the router's own inline scripts are known in a page: nobody outside this process ever sees it. */
const MARK = randomBytes(16).toString("base64url");

/** A page in one piece: all it shows is at hand, its headers are known only from the whole of it, and everybody shares it. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
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

/** The router's own way: the loaders' data stands in suspended parts behind the page. */
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

/** What a page or a form has thrown. An address under which nothing stands is no error. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || isDatabaseAway() || (isRouteErrorResponse(error) && error.status < 500)) return;
  const { pathname } = new URL(request.url);
  log.error({ err: error, path: pathname }, "request failed");
};

/** The router builds all routes of the manifest anew for each page; a page needs its own. */
function onlyMatched({ manifest, staticHandlerContext }: EntryContext): EntryContext["manifest"] {
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  return { ...manifest, routes: Object.fromEntries(ids.map((id) => [id, manifest.routes[id]])) };
}
