import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import { renderToString } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, ServerRouter } from "react-router";
import { isDatabaseAway } from "#app/infra/db.server.ts";
import { contentSecurityPolicy } from "#app/infra/headers.server.ts";
import { withLateScripts } from "#app/infra/late-scripts.server.ts";
import { log } from "#app/infra/log.server.ts";
import { currentRequest } from "#app/infra/request-context.server.ts";
import { RequestId } from "#app/ui/error-page.tsx";

/** By which the router's own inline scripts are known in a page: nobody outside this process ever sees it. */
const MARK = randomBytes(16).toString("base64url");

/**
 * A page in one piece: all it shows is at hand, its headers are known only from the whole of it, and everybody shares it. The router's own way
 * is a stream that carries the loaders' data in suspended parts behind the page.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const data = await text(context.serverHandoffStream as ReadableStream);
  const page = { ...context, serverHandoffStream: undefined, manifest: onlyMatched(context) };
  const rendered = renderToString(
    <RequestId value={currentRequest()?.id ?? ""}>
      <ServerRouter context={page} url={request.url} nonce={MARK} />
    </RequestId>,
  );
  const { html, scripts } = withLateScripts(rendered, data, MARK);
  headers.set("Content-Security-Policy", contentSecurityPolicy(scripts));
  return new Response(`<!DOCTYPE html>${html}`, { status, headers });
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
