import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { pictureResponse } from "#app/catalog/pictures/response.server.ts";
import { isDatabaseAway } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { fileHeaders, securityHeaders } from "#app/infra/http/headers.server.ts";
import { createLanes, type Errand } from "#app/infra/http/lanes/lanes.server.ts";
import { currentRequest, withRequestId } from "#app/infra/http/request-context.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { withClientAddress } from "#app/infra/http/server/client-address.server.ts";
import { type MethodsAt, READING, refuseOtherMethods } from "#app/infra/http/server/methods.server.ts";
import { NAMED_FILES, serveNamed } from "#app/infra/http/server/named-files.server.ts";
import { asAddressed } from "#app/infra/http/server/own-origin.server.ts";
import { withRequestTarget } from "#app/infra/http/server/request-target.server.ts";
import { isPassing, RETRY_SOON } from "#app/infra/http/server/responses.server.ts";
import { LIMITS } from "#app/infra/http/server/slow-clients.server.ts";
import { buildAssets, fileNames, serveFiles } from "#app/infra/http/server/static-files.server.ts";
import { log } from "#app/infra/log.server.ts";
import { VERSION } from "#app/infra/settings/version.server.ts";
import { officeCookieIn, SESSION_COOKIE } from "#app/staff/cookies.server.ts";
import { currentStaff } from "#app/staff/sessions.server.ts";
import { MB, MOST_POSTED } from "./form.server.ts";

/** The largest body of a request without a sign-in, in bytes. Such requests use memory, too. */
const STRANGERS_LIMIT = MB / 16;
/** A phone may take minutes to send a photograph. uploads.browser.ts has a shorter timeout. */
export const OFFICE_LIMITS = { ...LIMITS, request: 3 * MINUTE };
/** The database cannot store this character, so no valid URL contains it. */
const NUL = "%00";
const PICTURE = /^\/images\/[0-9a-f]{20}\/\d{1,4}\.\w{3,4}$/;
/** The files of the shop's folder that the office serves: the last two are its own. */
const SHARED = [
  "/fonts/*",
  "/home/*",
  "/favicon.svg",
  "/placeholder.svg",
  "/icon-192.png",
  "/icon-512.png",
  "/office.webmanifest",
  "/office-worker.js",
];
const isShared = (name: string) =>
  SHARED.some((place) => (place.endsWith("*") ? name.startsWith(place.slice(0, -1)) : name === place));
const FILES = /^\/(assets|fonts|images)\//;

type Handlers = {
  /** Renders pages and handles forms. */
  page(request: Request): Promise<Response>;
  clientFiles: string;
  shopFiles: string;
  /** The HTTP methods that each page accepts. */
  methodsAt?: MethodsAt;
};

/** The office's request listener, with all wrappers from the outside in. */
export function officeListener(handlers: Handlers): RequestListener {
  const { around } = createLanes({
    errandOf: errands(handlers),
    tokenIn: ({ headers: { cookie } }) => cookie && officeCookieIn(cookie, SESSION_COOKIE),
    userOf: async ({ headers: { cookie = "" } }) =>
      (await currentStaff(new Request(env.publicUrl, { headers: { cookie } })))?.id,
  });
  return withRequestTarget(withClientAddress(withRequestId(around(getRequestListener(edge(handlers).fetch)))));
}

/** Every request except for files and the health check takes a turn in its member's or network's lane. */
function errands({ clientFiles, shopFiles }: Handlers): (request: IncomingMessage) => Errand {
  const files = [...fileNames(clientFiles)].filter((name) => name.startsWith("/assets/"));
  const shared = [...fileNames(shopFiles)].filter(isShared);
  const names = new Set(["/healthz", ...files, ...shared]);
  return ({ method = "", url = "" }) => {
    const [path = ""] = url.split("?", 1);
    const isFree = (method === "GET" || method === "HEAD") && (names.has(path) || PICTURE.test(path));
    return isFree ? undefined : "buy";
  };
}

function edge({ page, clientFiles, shopFiles, methodsAt = () => undefined }: Handlers): Hono {
  const office = env.officeUrl ?? env.publicUrl;
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    const headers = FILES.test(c.req.path) && c.res.ok ? fileHeaders : securityHeaders;
    for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  app.get("/healthz", (c) => c.text(`ok ${VERSION}`));
  app.use((c, next) =>
    isOwnHost(c.req.header("host") ?? "", office) ? next() : Promise.resolve(foreignHost(c, office)),
  );
  app.get("/assets/*", buildAssets(clientFiles), missing);
  for (const name of NAMED_FILES.office) app.get(name, serveNamed(shopFiles));
  const shared = serveFiles(shopFiles);
  for (const place of SHARED) app.get(place, shared, missing);
  app.get("/images/*", async (c) => (await pictureResponse(c.req.raw)) ?? c.notFound());
  app.use((c, next) =>
    c.req.url.includes(NUL) ? Promise.resolve(c.text("This address can’t be read.", 400)) : next(),
  );
  app.use(csrf({ origin: office.origin }));
  app.use(refuseOtherMethods(methodsAt));
  app.use(refuseStrangers);
  app.use(bodyLimit({ maxSize: MOST_POSTED, onError: (c) => c.text("Too large: 30 MB at most", 413) }));
  app.all("*", async (c) => ownPage(await page(asAddressed(c.req.raw, office))));
  app.onError((error, c) => failed(error, c));
  return app;
}

const missing = (c: Context) => c.notFound();

/**
 * Without this check, a page on a foreign host name that resolves to this server (DNS rebinding) could use a member's
 * session.
 */
function isOwnHost(host: string, { host: own }: URL): boolean {
  return [own, ...["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${env.officePort}`)].includes(host);
}

function foreignHost(c: Context, { host }: URL): Response {
  noteSecurity("unknown-host", { host: (c.req.header("host") ?? "").slice(0, 100) });
  return c.text(`This is ${host}: no other host is answered for.`, 421);
}

/** Refuses a large body without a valid session before reading it. */
const refuseStrangers: MiddlewareHandler = async (c, next) => {
  const isLarge = c.req.header("transfer-encoding") || Number(c.req.header("content-length") ?? 0) > STRANGERS_LIMIT;
  if (!isLarge || (await currentStaff(c.req.raw))) return next();
  return c.text("Too large for somebody who isn’t signed in", 413, { Connection: "close" });
};

/** Every page is personal, so it must not be cached. */
function ownPage(answer: Response): Response {
  const headers = new Headers(answer.headers);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const status = answer.status === 500 && isDatabaseAway() ? 503 : answer.status;
  if (status === 405 && !headers.has("Allow")) headers.set("Allow", READING.join(", "));
  if (status === 413) headers.set("Connection", "close"); // the rest of the body is not read
  if (isPassing(status) && !headers.has("Retry-After")) headers.set("Retry-After", RETRY_SOON["Retry-After"]);
  return new Response(answer.body, { status, headers });
}

function failed(error: Error, c: Context): Response {
  if ("getResponse" in error && typeof error.getResponse === "function") {
    noteSecurity("foreign-origin", { path: c.req.path, origin: (c.req.header("origin") ?? "").slice(0, 100) });
    return error.getResponse();
  }
  const isAway = isDatabaseAway();
  if (!isAway) log.error({ err: error, path: c.req.path }, "a request to the office failed");
  const text = `Something went wrong. Please try again in a moment. (${currentRequest()?.id})`;
  return isAway ? c.text(text, 503, RETRY_SOON) : c.text(text, 500);
}
