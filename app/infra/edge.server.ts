import { existsSync, readdirSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { getConnInfo } from "@hono/node-server/conninfo";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { accepted, compress, type Encoding } from "./encoding.server.ts";
import { env } from "./env.server.ts";
import { SCRIPTED_HEADER } from "./form-post.server.ts";
import { contentSecurityPolicy, securityHeaders } from "./headers.server.ts";
import { log } from "./log.server.ts";

const KB = 1024;
const FORM_LIMIT = 64 * KB;
const WEBHOOK_LIMIT = 256 * KB;

/** The header that carries the client's address to the routes; whatever a visitor sends under this name is dropped. */
export const CLIENT_ADDRESS_HEADER = "x-irepo-client";

export type Handlers = {
  /** Renders pages and runs forms. */
  page(request: Request): Promise<Response>;
  /** Answers /images/…; null when there is no such picture. */
  picture(request: Request): Promise<Response | null>;
  webhook(body: Uint8Array, signature: string | undefined): Promise<{ status: number }>;
  ready(): Promise<boolean>;
  metrics(): Promise<string>;
  clientFiles: string;
};

/** What stands between the network and the pages: files, headers, limits, the origin check. */
export function createEdge(handlers: Handlers): Hono {
  const app = new Hono();
  app.use(answerHeaders);
  app.get(
    "/assets/*",
    serveStatic({ root: handlers.clientFiles, precompressed: true, onFound: (_, c) => cacheFor(c, "immutable") }),
  );
  app.get("/images/*", async (c) => (await handlers.picture(c.req.raw)) ?? c.notFound());
  app.get("/healthz", (c) => c.text("ok"));
  app.get("/readyz", async (c) => ((await handlers.ready()) ? c.text("ready") : c.text("not ready", 503)));
  app.get("/metrics", async (c) => (isLoopback(clientAddress(c)) ? c.text(await handlers.metrics()) : c.notFound()));
  app.post("/webhooks/paystack", bodyLimit({ maxSize: WEBHOOK_LIMIT }), async (c) => {
    const { status } = await handlers.webhook(
      new Uint8Array(await c.req.arrayBuffer()),
      c.req.header("x-paystack-signature"),
    );
    return c.body(null, status as 200);
  });
  const files = namesIn(handlers.clientFiles);
  const file = serveStatic({ root: handlers.clientFiles, onFound: (_, c) => cacheFor(c, "hour") });
  app.get("*", (c, next) => (files.has(c.req.path) ? file(c, next) : next()));
  app.use(bodyLimit({ maxSize: FORM_LIMIT, onError: tooLarge }));
  app.use(ownForms);
  app.all("*", async (c) => finish(await handlers.page(asSeenHere(c)), accepted(c.req.header("accept-encoding"))));
  app.onError((error, c) => {
    log.error({ err: error, path: c.req.path }, "request failed");
    return c.text("Something went wrong on our side. Please try again in a moment.", 500);
  });
  return app;
}

const answerHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(securityHeaders)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
};

/** The rest of the body is not read: the connection is of no more use. */
function tooLarge(c: Context): Response {
  return c.text("Too large", 413, { Connection: "close" });
}

/** Known once, so that no page waits for a look into the folder. */
function namesIn(folder: string): Set<string> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return new Set(names.map((name) => `/${name.split(path.sep).join("/")}`));
}

function cacheFor(c: Context, how: "immutable" | "hour"): void {
  c.header("Cache-Control", how === "immutable" ? "public, max-age=31536000, immutable" : "public, max-age=3600");
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Only the shop's own pages may listen to the live cart and send forms here, and only as forms (or JSON to /api). */
const ownForms: MiddlewareHandler = async (c, next) => {
  const isSafe = SAFE.has(c.req.method);
  if ((!isSafe || c.req.path === "/api/live") && !isOwnOrigin(c))
    return c.text("This was not sent from our own page.", 403);
  if (!isSafe && !isAcceptedBody(c)) return c.text("Please send this as a form.", 415);
  return next();
};

function isOwnOrigin(c: Context): boolean {
  const origin = c.req.header("origin");
  const site = c.req.header("sec-fetch-site");
  if (site && site !== "same-origin" && site !== "none") return false;
  // A program without a browser sends neither: it has no shopper's cookie to misuse.
  if (origin === undefined) return true;
  return origin === env.publicUrl.origin || origin === new URL(c.req.url).origin;
}

function isAcceptedBody(c: Context): boolean {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === undefined) return c.req.header("content-length") === undefined || c.req.header("content-length") === "0";
  return (
    type === "application/x-www-form-urlencoded" || (type === "application/json" && c.req.path.startsWith("/api/"))
  );
}

/** The nearest address that no trusted proxy put there itself. */
function clientAddress(c: Context): string {
  const socket = getConnInfo(c).remote.address ?? "";
  const trusted = new Set(
    (env.TRUSTED_PROXIES ?? "")
      .split(",")
      .map((proxy) => proxy.trim())
      .filter(Boolean),
  );
  if (!trusted.has(plain(socket))) return plain(socket);
  const hops = (c.req.header("x-forwarded-for") ?? "")
    .split(",")
    .map((hop) => plain(hop.trim()))
    .filter((hop) => isIP(hop));
  return hops.findLast((hop) => !trusted.has(hop)) ?? plain(socket);
}

function plain(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

function asSeenHere(c: Context): Request {
  const headers = new Headers(c.req.raw.headers);
  headers.set(CLIENT_ADDRESS_HEADER, clientAddress(c));
  if (c.req.path.endsWith(".data")) headers.set(SCRIPTED_HEADER, "1");
  else headers.delete(SCRIPTED_HEADER);
  const { method, body, signal } = c.req.raw;
  return new Request(publicAddress(c), { method, headers, signal, ...(body && { body, duplex: "half" }) });
}

/** Behind a proxy that ends TLS (or names another host) the router would refuse our own page's form: it compares addresses with the origin. */
function publicAddress(c: Context): URL {
  const url = new URL(c.req.url);
  if (c.req.header("origin") !== env.publicUrl.origin) return url;
  const { protocol, hostname, port } = env.publicUrl;
  return Object.assign(url, { protocol, hostname, port });
}

/** A page that everybody shares: made from its address alone. A CDN may keep it for a second, browsers ask each time whether it still holds. */
export async function sharedPage(page: Handlers["page"], path: string): Promise<Response> {
  const answer = await finish(await page(new Request(new URL(path, env.publicUrl))));
  for (const [name, value] of Object.entries(securityHeaders)) answer.headers.set(name, value);
  if (answer.status === 200) answer.headers.set("Cache-Control", "public, max-age=0, s-maxage=1");
  return answer;
}

/** A page's own headers come from the page as it is finished; what does not say otherwise is kept by nobody. Streams stay as they are. */
async function finish(answer: Response, encoding: Encoding = "identity"): Promise<Response> {
  const headers = new Headers(answer.headers);
  const { status } = answer;
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const type = headers.get("Content-Type") ?? "";
  if (!answer.body || type.startsWith("text/event-stream")) return new Response(answer.body, { status, headers });
  let bytes: Buffer<ArrayBufferLike> = Buffer.from(await answer.arrayBuffer());
  if (type.startsWith("text/html")) {
    headers.set("Content-Type", "text/html; charset=utf-8");
    headers.set("Content-Security-Policy", contentSecurityPolicy(bytes.toString()));
  }
  if (bytes.length >= KB && encoding !== "identity") {
    bytes = await compress(bytes, encoding);
    headers.set("Content-Encoding", encoding);
    headers.append("Vary", "Accept-Encoding");
  }
  headers.set("Content-Length", String(bytes.length));
  return new Response(bytes as Buffer<ArrayBuffer>, { status, headers });
}
