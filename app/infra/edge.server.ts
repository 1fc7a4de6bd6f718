import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import type { IncomingMessage, RequestListener } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import path from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isDatabaseAway } from "./db.server.ts";
import { accepted, compress, type Encoding } from "./encoding.server.ts";
import { env } from "./env.server.ts";
import { SCRIPTED_HEADER } from "./form-post.server.ts";
import { contentSecurityPolicy, securityHeaders } from "./headers.server.ts";
import { log } from "./log.server.ts";
import { CLIENT_ADDRESS_HEADER } from "./network.ts";
import { asRequest, currentRequest } from "./request-context.server.ts";
import { noteSecurity } from "./security-log.server.ts";

const KB = 1024;
const FORM_LIMIT = 64 * KB;
const WEBHOOK_LIMIT = 256 * KB;

/** Set here and nowhere else: what a visitor sends under these names is dropped. */
const OURS = new Set([CLIENT_ADDRESS_HEADER, SCRIPTED_HEADER]);

/** An answer of the API: a value for JSON, or what is more than that (a stream). */
export type ApiAnswer = { status?: number; json: unknown; headers?: Record<string, string> } | Response;
export type ApiRoute = {
  path: string;
  get?(request: Request, params: Record<string, string>): Promise<ApiAnswer>;
  post?(request: Request, params: Record<string, string>): Promise<ApiAnswer>;
};

export type Handlers = {
  api: ApiRoute[];
  /** Renders pages and runs forms. */
  page(request: Request): Promise<Response>;
  /** Answers /images/…; null when there is no such picture. */
  picture(request: Request): Promise<Response | null>;
  webhook(body: Uint8Array, signature: string | undefined): Promise<{ status: number }>;
  ready(): Promise<boolean>;
  clientFiles: string;
};

/** What stands between the network and the pages: files, headers, limits, the origin check. */
export function createEdge(handlers: Handlers): Hono {
  const app = new Hono();
  app.use("/api/*", formLimit, ownForms);
  for (const { path, ...methods } of handlers.api)
    for (const [method, ask] of Object.entries(methods))
      app.on(method.toUpperCase(), path, async (c) =>
        apiAnswer(await ask(c.req.raw, c.req.param()), accepted(c.req.header("accept-encoding"), "one")),
      );
  app.use(answerHeaders);
  app.get("/assets/*", assets(handlers.clientFiles), assetsOfOtherBuilds(handlers.clientFiles));
  app.get("/images/*", async (c) => (await handlers.picture(c.req.raw)) ?? c.notFound());
  app.get("/healthz", (c) => c.text("ok"));
  app.get("/readyz", async (c) => ((await handlers.ready()) ? c.text("ready") : c.text("not ready", 503, AWAY)));
  app.post("/webhooks/paystack", bodyLimit({ maxSize: WEBHOOK_LIMIT, onError: tooLarge }), async (c) => {
    const { status } = await handlers.webhook(
      new Uint8Array(await c.req.arrayBuffer()),
      c.req.header("x-paystack-signature"),
    );
    if (status === 401) noteSecurity("unsigned-webhook");
    return c.body(null, status as 200, status === 503 ? AWAY : {});
  });
  const files = namesIn(handlers.clientFiles);
  const file = serveStatic({ root: handlers.clientFiles, onFound: (_, c) => cacheFor(c, "hour") });
  app.get("*", (c, next) => (files.has(c.req.path) ? file(c, next) : next()));
  app.use(formLimit, ownForms);
  app.all("*", async (c) =>
    finish(await handlers.page(asRouterSees(c)), accepted(c.req.header("accept-encoding"), "one")),
  );
  app.onError((error, c) => {
    const isAway = isDatabaseAway();
    if (!isAway && !c.req.raw.signal.aborted) log.error({ err: error, path: c.req.path }, "request failed");
    const text = `Something went wrong on our side. Please try again in a moment. (${currentRequest()?.id})`;
    return c.text(text, isAway ? 503 : 500, { ...securityHeaders, ...(isAway && AWAY) });
  });
  return app;
}

const AWAY = { "Retry-After": "2" };

/** Names the request in its answer: in the log stands the same name. */
export function withRequestId(listener: RequestListener): RequestListener {
  return (request, response) => {
    const asked = currentRequest();
    if (asked) response.setHeader(REQUEST_ID_HEADER, asked.id);
    listener(request, response);
  };
}

const REQUEST_ID_HEADER = "X-Request-Id";

/** Tells the routes what only the connection knows, in headers that nobody else can send, and takes away what only a trusted proxy may say, where there is one. */
export function asSeenHere(listener: RequestListener): RequestListener {
  const trusted = trustedProxies();
  const fromVisitors = new Set(OURS);
  if (env.TRUSTED_PROXIES && env.COUNTRY_HEADER) fromVisitors.add(env.COUNTRY_HEADER.toLowerCase());
  return (request, response) => {
    const { headers, rawHeaders, socket, url = "/" } = request;
    const nearest = plain(socket.remoteAddress ?? "");
    const byProxy = trusted(nearest);
    const dropped = byProxy ? OURS : fromVisitors;
    for (const name of dropped) delete headers[name];
    for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
      if (dropped.has((rawHeaders[at] ?? "").toLowerCase())) rawHeaders.splice(at, 2);
    const say = (name: string, value: string) => {
      headers[name] = value;
      rawHeaders.push(name, value); // some of the request's readers look here, some there
    };
    const address = furthest(nearest, request, trusted);
    say(CLIENT_ADDRESS_HEADER, address);
    if (url.split("?", 1)[0]?.endsWith(".data")) say(SCRIPTED_HEADER, "1");
    asRequest(address, () => listener(request, response));
  };
}

function trustedProxies(): (address: string) => boolean {
  const list = new BlockList();
  for (const place of env.TRUSTED_PROXIES ?? []) {
    const [address = "", prefix] = place.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  // A connection that is gone has an empty address.
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

const answerHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(securityHeaders)) {
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
};

const countedLimit = bodyLimit({ maxSize: FORM_LIMIT, onError: tooLarge });

/** Only a body that does not say its length has to be counted, and made a stream for that. */
const formLimit: MiddlewareHandler = async (c, next) => {
  if (c.req.header("transfer-encoding")) return countedLimit(c, next);
  return Number(c.req.header("content-length") ?? 0) > FORM_LIMIT ? tooLarge(c) : next();
};

/** The rest of the body is not read: the connection is of no more use. */
function tooLarge(c: Context): Response {
  return c.text("Too large", 413, { ...securityHeaders, Connection: "close" });
}

/** Known once, so that no page waits for a look into the folder. */
function namesIn(folder: string): Set<string> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return new Set(names.map((name) => `/${name.split(path.sep).join("/")}`));
}

function assets(root: string): MiddlewareHandler {
  return serveStatic({ root, precompressed: true, onFound: (_, c) => cacheFor(c, "immutable") });
}

/** A page that was opened before an update asks for its own build's files: they lie beside this one's (scripts/build.ts), each under a name of its own. */
function assetsOfOtherBuilds(clientFiles: string): MiddlewareHandler {
  const builds = path.resolve(clientFiles, "../..");
  return async (c, next) => {
    for (const build of await readdir(builds)) {
      if (!FINISHED.test(build)) continue;
      const found = await assets(path.join(builds, build, path.basename(clientFiles)))(c, async () => {});
      if (found) return found;
    }
    return next();
  };
}

/** How a build's folder is called; one that is not complete has another name. */
const FINISHED = /^[0-9a-f]{16}$/;

function cacheFor(c: Context, how: "immutable" | "hour"): void {
  c.header("Cache-Control", how === "immutable" ? "public, max-age=31536000, immutable" : "public, max-age=3600");
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Only the shop's own pages may listen to the live cart and send forms here, and only as forms (or JSON to /api). */
const ownForms: MiddlewareHandler = async (c, next) => {
  const isSafe = SAFE.has(c.req.method);
  if ((!isSafe || c.req.path === "/api/live") && !isOwnOrigin(c)) {
    noteSecurity("foreign-origin", { path: c.req.path, origin: (c.req.header("origin") ?? "").slice(0, 100) });
    return c.text("This was not sent from our own page.", 403, securityHeaders);
  }
  if (!isSafe && !isAcceptedBody(c)) return c.text("Please send this as a form.", 415, securityHeaders);
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

/**
 * Who asked, as told from one trusted proxy to the next, each of which has added whom it was asked by: the first that is none of them. What stands
 * before an address that cannot be read was told by nobody known, and may be made up.
 */
function furthest(nearest: string, { headers }: IncomingMessage, trusted: (address: string) => boolean): string {
  const hops = String(headers["x-forwarded-for"] ?? "").split(",");
  let known = nearest;
  while (trusted(known)) {
    const before = addressIn(hops.pop()?.trim() ?? "");
    if (isIP(before) === 0) break;
    known = before;
  }
  return known;
}

/** `203.0.113.9:4711`, `[2001:db8::1]:80`: some proxies add the port. */
function addressIn(hop: string): string {
  const [, v6, v4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d+)?$/i.exec(hop) ?? [];
  return plain(v6 ?? v4 ?? hop);
}

function plain(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/**
 * Behind a proxy that ends TLS (or names another host) the router would refuse our own page's form: it compares addresses with the origin.
 */
function asRouterSees(c: Context): Request {
  const { raw } = c.req;
  const { origin, protocol, hostname, port } = env.publicUrl;
  if (c.req.header("origin") !== origin) return raw;
  const url = new URL(raw.url);
  if (url.origin === origin) return raw;
  const { method, headers, body, signal } = raw;
  const init = { method, headers, signal, ...(body && { body, duplex: "half" }) };
  return new Request(Object.assign(url, { protocol, hostname, port }), init);
}

/** A page that everybody shares: made from its address alone. A CDN may keep it for a second, browsers ask each time whether it still holds. */
export async function sharedPage(page: Handlers["page"], path: string): Promise<Response> {
  const answer = await finish(await page(new Request(new URL(path, env.publicUrl))));
  for (const [name, value] of Object.entries(securityHeaders)) answer.headers.set(name, value);
  if (answer.status === 200) answer.headers.set("Cache-Control", "public, max-age=0, s-maxage=1");
  if (answer.status >= 500) answer.headers.set(REQUEST_ID_HEADER, currentRequest()?.id ?? "");
  return answer;
}

/** A page's own headers come from the page as it is finished; what does not say otherwise is kept by nobody. Streams stay as they are. */
async function finish(answer: Response, encoding: Encoding = "identity"): Promise<Response> {
  const headers = new Headers(answer.headers);
  const isAway = answer.status === 500 && isDatabaseAway();
  const status = isAway ? 503 : answer.status;
  if (isAway) for (const [name, value] of Object.entries(AWAY)) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (!answer.body) return new Response(null, { status, headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (headers.get("Content-Type")?.startsWith("text/html")) {
    headers.set("Content-Type", "text/html; charset=utf-8");
    if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", contentSecurityPolicy([]));
  }
  const travels = await packed(bytes, encoding);
  for (const [name, value] of Object.entries(travels.headers)) headers.append(name, value);
  return new Response(travels.bytes, { status, headers });
}

/** As `finish`, without ever making a stream of what is at hand. */
async function apiAnswer(answer: ApiAnswer, encoding: Encoding): Promise<Response> {
  if (answer instanceof Response) {
    const { body, status, headers } = answer;
    return new Response(body, { status, headers: { ...securityHeaders, ...Object.fromEntries(headers) } });
  }
  const { status = 200, json, headers } = answer;
  const travels = await packed(Buffer.from(JSON.stringify(json)), encoding);
  return new Response(travels.bytes, {
    status,
    headers: {
      ...securityHeaders,
      "Cache-Control": "no-store",
      "Content-Type": "application/json",
      ...travels.headers,
      ...headers,
    },
  });
}

/** What goes over the wire, and the headers that say so. A compressed small answer would be no smaller. */
async function packed(
  bytes: Buffer,
  encoding: Encoding,
): Promise<{ bytes: Buffer<ArrayBuffer>; headers: Record<string, string> }> {
  const asItIs = bytes.length < KB || encoding === "identity";
  const sent = asItIs ? bytes : await compress(bytes, encoding);
  return {
    bytes: sent as Buffer<ArrayBuffer>,
    headers: {
      "Content-Length": String(sent.length),
      ...(!asItIs && { "Content-Encoding": encoding, Vary: "Accept-Encoding" }),
    },
  };
}
