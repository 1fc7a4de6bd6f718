import type { MiddlewareHandler } from "hono";
import { db } from "#app/infra/database/db.server.ts";
import { securityHeaders } from "#app/infra/http/headers.server.ts";
import { READING } from "#app/infra/http/server/methods.server.ts";
import { namesFile } from "#app/infra/http/server/static-files.server.ts";
import * as messages from "#app/messages.ts";
import { findPreview, mayPreview, PREVIEW_PATH } from "./preview.server.ts";

/** A browser keeps nothing that it is sent while it previews a draft, and no search engine lists it. */
const HIDDEN = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };

/**
 * A browser that previews a draft reads pages and posts nothing but Leave: it cannot buy, and its cart stays as it is.
 * Nothing is looked up for a request without the cookie, or for a file.
 */
export const previewGuard: MiddlewareHandler = async (c, next) => {
  const { method, path } = c.req;
  const isRead = READING.includes(method);
  const cookies = c.req.header("cookie") ?? "";
  if (!mayPreview(cookies) || (isRead && namesFile(path))) return next();
  if (!(await findPreview(db(), cookies))) return next();
  if (!isRead && path !== PREVIEW_PATH) return refusal(path);
  await next();
  for (const [name, value] of Object.entries(HIDDEN)) c.res.headers.set(name, value);
};

/**
 * Forms lead to the page that says why, also those that the router's script sends. They do so without a redirect, which
 * the scripts of signing out and of the newsletter take for success.
 */
function refusal(path: string): Response {
  const headers = { ...securityHeaders, ...HIDDEN };
  // The cart's script shows the problem of an answer with status 200.
  if (path.startsWith("/api/")) return Response.json({ problem: messages.preview.refused }, { headers });
  // A redirect in the form that the router's script follows. The page is loaded, so that its bar is shown.
  if (path.endsWith(".data")) {
    const redirect = { "X-Remix-Redirect": PREVIEW_PATH, "X-Remix-Reload-Document": "true" };
    return new Response(null, { status: 204, headers: { ...headers, ...redirect } });
  }
  const refresh = { "Content-Type": "text/plain; charset=utf-8", Refresh: `0; url=${PREVIEW_PATH}` };
  return new Response(messages.preview.refused, { status: 403, headers: { ...headers, ...refresh } });
}
