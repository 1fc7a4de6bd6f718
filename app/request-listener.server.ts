import type { IncomingMessage, RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { createRequestHandler } from "react-router";
import { SESSION_COOKIE } from "#app/account/session/cookies.server.ts";
import { currentUser } from "#app/account/session/store.server.ts";
import { api } from "#app/api.ts";
import { catalogWatch } from "#app/catalog/changes.server.ts";
import { pictureResponse } from "#app/catalog/pictures/response.server.ts";
import { db, isDatabaseAway } from "#app/infra/database/db.server.ts";
import { writeCheck } from "#app/infra/database/write-check.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { withRequestId } from "#app/infra/http/request-context.server.ts";
import { pagePatterns, routeMatcher } from "#app/infra/http/route-pattern.ts";
import { withClientAddress } from "#app/infra/http/server/client-address.server.ts";
import { createEdge, type Handlers } from "#app/infra/http/server/edge.server.ts";
import { pageCache } from "#app/infra/http/server/page-cache.server.ts";
import { limitSearches, refuseSearch, refuseUnknownHosts } from "#app/infra/http/server/refusals.server.ts";
import { sharedPage } from "#app/infra/http/server/responses.server.ts";
import { hasNews } from "#app/orders/news/news.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { publicPage } from "#app/public-pages.ts";

/** So long a visitor waits who comes while the shop opens, as after an update that a balancer has not seen. */
const OPENS_WITHIN = 20 * SECOND;

type Settings = {
  /** The folder of what browsers load as it is. */
  clientFiles: string;
  /** Stands in front of everything but the client's address. */
  around(listener: RequestListener): RequestListener;
  isOpen(): boolean;
  /** Until then visitors wait, and only /healthz is answered. */
  opened: Promise<void>;
  /** From then on it is not ready, and every answer is the last of its connection. */
  isDraining(): boolean;
};

/** Everything that a request passes, from outside to inside. */
export async function requestListener(settings: Settings): Promise<RequestListener> {
  const { clientFiles, around, isOpen, opened, isDraining } = settings;
  const page = await pageHandler();
  const edge = createEdge({
    api,
    page,
    picture: pictureResponse,
    webhook: receiveWebhook,
    // A database that is away changes nothing here: every instance would be taken out at once, and kept pages can still be served.
    ready: () => isOpen() && !isDraining(),
    works: writeCheck(db),
    clientFiles,
  });
  const answered = getRequestListener(
    async (request, bindings) => {
      const { pathname } = new URL(request.url);
      if (!isOpen() && !PROBES.includes(pathname)) await Promise.race([opened, sleep(OPENS_WITHIN)]);
      return isOpen() || pathname === "/healthz" ? edge.fetch(request, bindings) : opening();
    },
    { hostname: env.publicUrl.host }, // for HTTP/1.0, which may name none
  );
  const keyOf = (url: string) => (isOpen() ? publicPage(url) : undefined);
  const cached = withPageCache(page, keyOf, limitSearches(answered));
  const inside = await observed(around(withClientAddress(withRequestId(refuseUnknownHosts(cached)))));
  return (request, response) => {
    if (isDraining()) response.setHeader("Connection", "close");
    inside(request, response);
  };
}

/** The build is given as it is: asked for by a function, the router would work out its routes anew for each request, as development needs. */
async function pageHandler(): Promise<Handlers["page"]> {
  const build = () => import("virtual:react-router/server-build");
  return createRequestHandler(env.NODE_ENV === "production" ? await build() : build, env.NODE_ENV);
}

const PROBES = ["/healthz", "/readyz", "/status"];
/** What answers beside the router's pages and the API. */
const OTHER_PLACES = ["/assets/*", "/images/*", ...PROBES, "/webhooks/paystack"];

/** What measures and traces is loaded only where somebody looks. */
async function observed(listener: RequestListener): Promise<RequestListener> {
  const { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT } = env;
  if (METRICS_PORT === undefined && !OTEL_EXPORTER_OTLP_ENDPOINT) return listener;
  const { routes } = await import("virtual:react-router/server-build");
  const routeOf = routeMatcher([...pagePatterns(routes), ...api.map(({ path }) => path), ...OTHER_PLACES]);
  let observing = listener;
  if (OTEL_EXPORTER_OTLP_ENDPOINT) {
    const { traced } = await import("#app/infra/tracing/open-telemetry.server.ts");
    observing = traced(observing, routeOf);
  }
  if (METRICS_PORT !== undefined) {
    const { measured } = await import("#app/infra/metrics/requests.server.ts");
    observing = measured(observing, routeOf);
  }
  return observing;
}

/** In development pages change with their code: nothing is kept. */
function withPageCache(
  page: Handlers["page"],
  keyOf: (url: string) => string | undefined,
  listener: RequestListener,
): RequestListener {
  if (env.NODE_ENV !== "production") return listener;
  const hasChanged = catalogWatch();
  const { around } = pageCache({
    keyOf,
    isPersonal,
    render: (key) => renderShared(page, key),
    changed: () => hasChanged(db()),
    refuse: refuseSearch,
  });
  return around(listener);
}

/** The home page, and its data: a shopper is greeted there with a new order. */
const isHome = (key: string) => key === "/" || key === "/_.data";

/** Answered without a wait where nobody is signed in, or the database is away: then everybody sees the same. */
function isPersonal(key: string, { headers }: IncomingMessage): Promise<boolean> | undefined {
  if (!isHome(key) || !headers.cookie?.includes(SESSION_COOKIE) || isDatabaseAway()) return;
  const request = new Request(env.publicUrl, { headers: { cookie: headers.cookie } });
  return currentUser(request).then((user) => user !== null && hasNews(db(), user.id));
}

async function renderShared(page: Handlers["page"], key: string): Promise<Response> {
  const answer = await sharedPage(page, key);
  if (isHome(key)) answer.headers.set("Vary", "Cookie"); // for caches in front of the shop
  return answer;
}

function opening(): Response {
  return new Response("Opening ...", { status: 503, headers: { "Retry-After": "1", Refresh: "1" } });
}
