import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isDatabaseAway } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { VERSION } from "#app/infra/settings/version.server.ts";
import { accepted, type Encoding } from "../encoding.server.ts";
import { fileHeaders, securityHeaders } from "../headers.server.ts";
import { loggedPath } from "../logged-path.ts";
import { currentRequest } from "../request-context.server.ts";
import { noteSecurity } from "../security-log.server.ts";
import { limitFormSize, requireSameOrigin, tooLarge } from "./form-checks.server.ts";
import { type MethodsAt, onlyTakes, READING, refuseOtherMethods } from "./methods.server.ts";
import { NAMED_FILES, serveNamed } from "./named-files.server.ts";
import { asAddressed } from "./own-origin.server.ts";
import { type ApiAnswer, apiResponse, pageResponse, RETRY_SOON } from "./responses.server.ts";
import { namesFile, serveAssets, serveFiles } from "./static-files.server.ts";

const KB = 1024;
const FILES = /^\/(assets|images)\//;
const WEBHOOK_LIMIT = 256 * KB;

export type ApiRoute = {
  path: string;
  get?(request: Request, params: Record<string, string>): Promise<ApiAnswer>;
  post?(request: Request, params: Record<string, string>): Promise<ApiAnswer>;
};

export type WebhookRoute = {
  path: string;
  signatureHeader: string;
  receive(body: Uint8Array, signature: string | undefined): Promise<{ status: number }>;
};

export type Handlers = {
  api: ApiRoute[];
  /** Runs before everything else: refuses a request, or adds headers to the answer. */
  guard?: MiddlewareHandler;
  /** Renders pages and runs forms. */
  page(request: Request): Promise<Response>;
  /** Answers /images/…; null when there is no such picture. */
  picture(request: Request): Promise<Response | null>;
  webhooks: WebhookRoute[];
  /** Whether this process is ready for visitors (/readyz). */
  ready(): boolean;
  /** Whether written data is kept (/status). */
  works(): Promise<boolean>;
  clientFiles: string;
  /** The methods that each known path accepts; the router decides about all others. */
  methodsAt?: MethodsAt;
};

/** Passes each request to its handler, behind the checks that its kind needs. */
export function createEdge(handlers: Handlers): Hono {
  const { guard, api, page, picture, webhooks, ready, works, clientFiles, methodsAt = () => undefined } = handlers;
  const app = new Hono();
  if (guard) app.use(guard);
  app.use("/api/*", limitFormSize, requireSameOrigin);
  for (const { path, ...methods } of api) {
    for (const [method, answer] of Object.entries(methods))
      app.on(method.toUpperCase(), path, async (c) =>
        apiResponse(await answer(c.req.raw, c.req.param()), acceptedBy(c)),
      );
    app.all(path, onlyTakes([...(methods.get ? READING : ["OPTIONS"]), ...(methods.post ? ["POST"] : [])]));
  }
  app.use(async (c, next) => {
    await next();
    const headers = FILES.test(c.req.path) && c.res.ok ? fileHeaders : securityHeaders;
    for (const [name, value] of Object.entries(headers)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  for (const assets of serveAssets(clientFiles)) app.get("/assets/*", assets);
  app.get("/assets/*", (c) => c.notFound());
  app.get("/images/*", async (c) => (await picture(c.req.raw)) ?? c.notFound());
  app.use(refuseOtherMethods(methodsAt)); // after the most frequent paths, whose methods are known
  app.get("/healthz", (c) => c.text(`ok ${VERSION}`));
  app.get("/readyz", (c) => (ready() ? c.text("ready") : c.text("not ready", 503, RETRY_SOON)));
  app.get("/status", async (c) =>
    (await works()) ? c.text("works") : c.text("what is written is not kept", 503, RETRY_SOON),
  );
  for (const { path, signatureHeader, receive } of webhooks)
    app.post(path, bodyLimit({ maxSize: WEBHOOK_LIMIT, onError: tooLarge }), async (c) => {
      const body = new Uint8Array(await c.req.arrayBuffer());
      const { status } = await receive(body, c.req.header(signatureHeader));
      if (status === 401) noteSecurity("unsigned-webhook");
      return new Response(null, { status, headers: status === 503 ? RETRY_SOON : {} });
    });
  for (const name of NAMED_FILES.shop) app.get(name, serveNamed(clientFiles));
  app.get("*", serveFiles(clientFiles));
  app.get("*", (c, next) => (namesFile(c.req.path) && !methodsAt(c.req.path) ? Promise.resolve(c.notFound()) : next()));
  app.use(limitFormSize, requireSameOrigin);
  app.all("*", async (c) => pageResponse(await page(asRead(asAddressed(c.req.raw, env.publicUrl))), acceptedBy(c)));
  app.onError(answerError);
  return app;
}

/**
 * Turns HEAD into GET: the router renders no body for HEAD, but the policy and the length are computed from the body.
 * Hono drops it afterwards.
 */
const asRead = (request: Request) => (request.method === "HEAD" ? new Request(request, { method: "GET" }) : request);

function acceptedBy(c: Context): Encoding {
  return accepted(c.req.header("accept-encoding"), "one");
}

function answerError(error: Error, c: Context): Response {
  const isAway = isDatabaseAway();
  if (!isAway && !c.req.raw.signal.aborted) log.error({ err: error, path: loggedPath(c.req.path) }, "request failed");
  const text = `Something went wrong on our side. Please try again in a moment. (${currentRequest()?.id})`;
  return c.text(text, isAway ? 503 : 500, { ...securityHeaders, ...(isAway && RETRY_SOON) });
}
