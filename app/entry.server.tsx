import { text } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import { renderToString } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";
import { withLateScripts } from "#app/infra/late-scripts.server.ts";
import { log } from "#app/infra/log.server.ts";

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
  const html = renderToString(<ServerRouter context={page} url={request.url} />);
  return new Response(`<!DOCTYPE html>${withLateScripts(html, data)}`, { status, headers });
}

/** Instead of the router's own way, which writes errors as they are. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (!request.signal.aborted) log.error({ err: error, path: new URL(request.url).pathname }, "a page failed");
}

/** The router builds all routes of the manifest anew for each page; a page needs its own. */
function onlyMatched({ manifest, staticHandlerContext }: EntryContext): EntryContext["manifest"] {
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  return { ...manifest, routes: Object.fromEntries(ids.map((id) => [id, manifest.routes[id]])) };
}
