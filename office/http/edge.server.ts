import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { pictureResponse } from "#app/catalog/pictures/response.server.ts";
import { isDatabaseAway } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { fileHeaders, securityHeaders } from "#app/infra/http/headers.server.ts";
import { currentRequest, withRequestId } from "#app/infra/http/request-context.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { withClientAddress } from "#app/infra/http/server/client-address.server.ts";
import { asAddressed } from "#app/infra/http/server/own-origin.server.ts";
import { isPassing, RETRY_SOON } from "#app/infra/http/server/responses.server.ts";
import { LIMITS } from "#app/infra/http/server/slow-clients.server.ts";
import { log } from "#app/infra/log.server.ts";
import { currentStaff } from "#app/staff/sessions.server.ts";

const MB = 1024 * 1024;
/** Room for a table of many products, or a phone's photograph. */
const BODY_LIMIT = 30 * MB;
/** For requests without a sign-in, which take memory too. */
const STRANGERS_LIMIT = MB / 16;
/** A phone may take minutes to send a photograph; uploads.browser.ts gives up sooner. */
export const OFFICE_LIMITS = { ...LIMITS, request: 3 * MINUTE };
/** No text in the database can hold this character, so no such address exists. */
const NUL = "%00";
const FILES = /^\/(assets|fonts|images)\//;

type Handlers = {
  /** Renders pages and runs forms. */
  page(request: Request): Promise<Response>;
  clientFiles: string;
  shopFiles: string;
};

/** Everything that a request of the office passes, from outside to inside. */
export function officeListener(handlers: Handlers): RequestListener {
  return withClientAddress(withRequestId(getRequestListener(edge(handlers).fetch)));
}

function edge({ page, clientFiles, shopFiles }: Handlers): Hono {
  const office = env.officeUrl ?? env.publicUrl;
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    const headers = FILES.test(c.req.path) && c.res.ok ? fileHeaders : securityHeaders;
    for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  app.get("/healthz", (c) => c.text("ok"));
  app.use((c, next) =>
    isOwnHost(c.req.header("host") ?? "", office) ? next() : Promise.resolve(foreignHost(c, office)),
  );
  app.get("/assets/*", files(clientFiles, "public, max-age=31536000, immutable"));
  for (const place of ["/fonts/*", "/home/*", "/favicon.svg", "/placeholder.svg"])
    app.get(place, files(shopFiles, "public, max-age=3600"));
  app.get("/images/*", async (c) => (await pictureResponse(c.req.raw)) ?? c.notFound());
  app.use((c, next) =>
    c.req.url.includes(NUL) ? Promise.resolve(c.text("This address cannot be read.", 400)) : next(),
  );
  app.use(csrf({ origin: office.origin }));
  app.use(refuseStrangers);
  app.use(bodyLimit({ maxSize: BODY_LIMIT, onError: (c) => c.text("Too large: 30 MB at most", 413) }));
  app.all("*", async (c) => ownPage(await page(asAddressed(c.req.raw, office))));
  app.onError((error, c) => failed(error, c));
  return app;
}

function files(root: string, caching: string) {
  return serveStatic({ root, precompressed: true, onFound: (_, c) => c.header("Cache-Control", caching) });
}

/** Otherwise whoever points a foreign name here (DNS rebinding) could use the signed-in person's pages. */
function isOwnHost(host: string, { host: own }: URL): boolean {
  return [own, ...["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${env.officePort}`)].includes(host);
}

function foreignHost(c: Context, { host }: URL): Response {
  noteSecurity("unknown-host", { host: (c.req.header("host") ?? "").slice(0, 100) });
  return c.text(`This is ${host}: no other host is answered for.`, 421);
}

/** A large body is not read before the sign-in is checked. */
const refuseStrangers: MiddlewareHandler = async (c, next) => {
  const isLarge = c.req.header("transfer-encoding") || Number(c.req.header("content-length") ?? 0) > STRANGERS_LIMIT;
  if (!isLarge || (await currentStaff(c.req.raw))) return next();
  return c.text("Too large for somebody who is not signed in", 413, { Connection: "close" });
};

/** Every page is one person's: nothing may be cached. */
function ownPage(answer: Response): Response {
  const headers = new Headers(answer.headers);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const status = answer.status === 500 && isDatabaseAway() ? 503 : answer.status;
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
