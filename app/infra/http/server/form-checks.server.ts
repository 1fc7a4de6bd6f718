import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { env } from "#app/infra/env.server.ts";
import { securityHeaders } from "../headers.server.ts";
import { loggedPath } from "../logged-path.ts";
import { noteSecurity } from "../security-log.server.ts";

const KB = 1024;
const FORM_LIMIT = 64 * KB;

/** The only path that accepts files, the photographs of a return: four of 8 MB, and the rest of the form. */
const UPLOAD = /^\/order\/[^/]+\/pictures$/i;
const UPLOAD_LIMIT = 4 * 8 * 1024 * KB + FORM_LIMIT;

const countedLimit = bodyLimit({ maxSize: FORM_LIMIT, onError: tooLarge });

/**
 * Refuses a body of more than 64 KB, and photographs of more than 32 MB. Only a body without Content-Length has to be
 * counted, for which it is made a stream; photographs must have a Content-Length, which all browsers send. Nothing is
 * read here.
 */
export const limitFormSize: MiddlewareHandler = async (c, next) => {
  if (isUpload(c)) {
    if (c.req.header("transfer-encoding")) return c.text("Please say the length.", 411, closing);
    return Number(c.req.header("content-length") ?? 0) > UPLOAD_LIMIT ? tooLarge(c) : next();
  }
  if (c.req.header("transfer-encoding")) return countedLimit(c, next);
  return Number(c.req.header("content-length") ?? 0) > FORM_LIMIT ? tooLarge(c) : next();
};

/** The rest of the body is not read, so the connection cannot be used again. */
const closing = { ...securityHeaders, Connection: "close" };
export function tooLarge(c: Context): Response {
  return c.text("Too large", 413, closing);
}

function isUpload(c: Context): boolean {
  return UPLOAD.test(c.req.path) && typeOf(c) === "multipart/form-data";
}

function typeOf(c: Context): string | undefined {
  return c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses cross-site requests: only the shop's own pages may open the live cart's stream and send forms. Refuses bodies
 * that are neither a form nor JSON to /api.
 */
export const requireSameOrigin: MiddlewareHandler = async (c, next) => {
  const isSafe = SAFE.has(c.req.method);
  if ((!isSafe || c.req.path === "/api/live") && !isSameOrigin(c)) {
    noteSecurity("foreign-origin", {
      path: loggedPath(c.req.path),
      origin: (c.req.header("origin") ?? "").slice(0, 100),
    });
    return c.text("This wasn’t sent from our own page.", 403, securityHeaders);
  }
  if (!isSafe && !isAcceptedBody(c)) return c.text("Please send this as a form.", 415, securityHeaders);
  return next();
};

function isSameOrigin(c: Context): boolean {
  const origin = c.req.header("origin");
  const site = c.req.header("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return false;
  // A program other than a browser sends neither header, and has no shopper's cookie that could be misused.
  if (origin === undefined) return true;
  return origin === env.publicUrl.origin || origin === new URL(c.req.url).origin;
}

function isAcceptedBody(c: Context): boolean {
  // No browser compresses a form, and a small body may unpack to a large one.
  if (c.req.header("content-encoding")) return false;
  const type = typeOf(c);
  if (isUpload(c)) return true;
  if (type === undefined) return c.req.header("content-length") === undefined || c.req.header("content-length") === "0";
  return (
    type === "application/x-www-form-urlencoded" || (type === "application/json" && c.req.path.startsWith("/api/"))
  );
}
