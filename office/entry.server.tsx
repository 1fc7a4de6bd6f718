import { randomBytes } from "node:crypto";
import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, ServerRouter } from "react-router";
import { isDatabaseAway } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { isTooLarge, tooLarge } from "#app/infra/http/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";

/** Renders a page completely before responding. A nonce of its own permits its inline scripts. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  if (isTooLarge(context)) return tooLarge();
  const nonce = randomBytes(16).toString("base64url");
  const page = await renderToReadableStream(<ServerRouter context={context} url={request.url} nonce={nonce} />, {
    nonce,
  });
  await page.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  return new Response(page, { status, headers });
}

/** In development, pages get updates from Vite over a WebSocket on another port. */
const VITE = env.NODE_ENV === "development" ? " ws:" : "";

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${VITE}`,
    "manifest-src 'self'",
    "worker-src 'self'",
  ].join("; ");
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || isDatabaseAway() || (isRouteErrorResponse(error) && error.status < 500)) return;
  log.error({ err: error, path: new URL(request.url).pathname }, "a page of the office failed");
};
