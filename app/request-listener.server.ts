import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { createRequestHandler } from "react-router";
import { SESSION_COOKIE } from "#app/account/session/cookies.server.ts";
import { currentUser, type SignedIn } from "#app/account/session/store.server.ts";
import { api } from "#app/api.ts";
import { NO_SCRIPT_CART_COOKIE } from "#app/cart/no-script-cart.server.ts";
import { idMeantBy } from "#app/catalog/catalog.server.ts";
import { catalogWatch } from "#app/catalog/changes.server.ts";
import { collectionMeantBy } from "#app/catalog/collections/collections.server.ts";
import { choiceOf, leadingCurrency } from "#app/catalog/currency/leading.server.ts";
import { kindIds } from "#app/catalog/kind-field.server.ts";
import { pictureResponse } from "#app/catalog/pictures/response.server.ts";
import { newAddressOf, redirectHeaders } from "#app/content/old-addresses/redirect.server.ts";
import { previewGuard } from "#app/content/preview/guard.server.ts";
import { findPreview, mayPreview } from "#app/content/preview/preview.server.ts";
import { answeredNotice, hasAnsweredNotice } from "#app/content/privacy-notice.server.tsx";
import { errandOf } from "#app/errands.ts";
import { db, isDatabaseAway } from "#app/infra/database/db.server.ts";
import { writeCheck } from "#app/infra/database/write-check.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { cookieIn } from "#app/infra/http/cookie.server.ts";
import { createLanes, type TakeTurn } from "#app/infra/http/lanes/lanes.server.ts";
import { newRequestId, REQUEST_ID_HEADER, withRequestId } from "#app/infra/http/request-context.server.ts";
import { pagePatterns, routeMatcher } from "#app/infra/http/route-pattern.ts";
import { countryReader, withClientAddress } from "#app/infra/http/server/client-address.server.ts";
import { createEdge, type Handlers } from "#app/infra/http/server/edge.server.ts";
import { methodsAt, methodsOfPages, READING } from "#app/infra/http/server/methods.server.ts";
import { pageCache } from "#app/infra/http/server/page-cache.server.ts";
import {
  isForThisShop,
  limitSearches,
  refuseSearch,
  refuseUnknownHosts,
} from "#app/infra/http/server/refusals.server.ts";
import { withRequestTarget } from "#app/infra/http/server/request-target.server.ts";
import { sharedPage } from "#app/infra/http/server/responses.server.ts";
import { fileNames, namesFile } from "#app/infra/http/server/static-files.server.ts";
import { hasNews } from "#app/orders/news/news.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { DESCRIPTIONS } from "#app/providers/descriptions.ts";
import {
  ANY_PRODUCT,
  hasTwoRenderings,
  NOWHERE,
  publicPage,
  saysNothing,
  stockShownOn,
  thingOf,
} from "#app/public-pages.ts";

/**
 * How long a request waits that arrives while the shop opens, as after an update that a load balancer has not noticed.
 */
const OPENS_WITHIN = 20 * SECOND;

type Settings = {
  /** The folder of static files. */
  clientFiles: string;
  /** Wraps everything but the check of the request's target, the metrics and the traces. */
  around(listener: RequestListener): RequestListener;
  isOpen(): boolean;
  /** Resolves when the shop opens: until then requests for pages wait, and only /healthz succeeds. */
  opened: Promise<void>;
  /** Whether the shop is stopping: /readyz fails then, and every response closes its connection. */
  isDraining(): boolean;
};

/** All that a request passes through, from the outside to the inside. */
export async function requestListener(settings: Settings): Promise<RequestListener> {
  const { clientFiles, around, isOpen, opened, isDraining } = settings;
  const page = await pageHandler();
  const edge = createEdge({
    guard: previewGuard,
    api,
    page,
    picture: pictureResponse,
    webhooks: DESCRIPTIONS.flatMap(({ id, webhook }) =>
      webhook ? [{ ...webhook, receive: (body, signature) => receiveWebhook(id, body, signature) }] : [],
    ),
    // An outage of the database does not count: it would take out all instances at once, and cached pages can still be
    // served.
    ready: () => isOpen() && !isDraining(),
    works: writeCheck(db, env.usesDataDir ? env.dataDir : undefined),
    clientFiles,
    methodsAt: methodsAt([
      ...methodsOfPages((await import("virtual:react-router/server-build")).routes),
      ...OTHER_METHODS,
    ]),
  });
  const files = fileNames(clientFiles);
  const isFile = (path: string) => files.has(path);
  const { around: withLanes, takeTurn } = createLanes({
    errandOf: (request) => (isOpen() ? errandOf(request, isFile) : undefined),
    tokenIn: ({ headers: { cookie } }) => cookie && cookieIn(cookie, SESSION_COOKIE),
    userOf: async (request) => (await userOf(request))?.id,
  });
  const answered = getRequestListener(
    async (request, bindings) => {
      const { pathname } = new URL(request.url);
      if (!isOpen() && !PROBES.includes(pathname)) await Promise.race([opened, sleep(OPENS_WITHIN)]);
      if (!isOpen() && pathname !== "/healthz") return opening();
      const answer = await edge.fetch(request, bindings);
      const isMissed = answer.status === 404 && ["GET", "HEAD"].includes(request.method) && !pathname.endsWith(".data");
      if (!isMissed || isKept(bindings.incoming.url ?? "")) return answer; // kept pages are redirected by the cache
      return redirected(pathname) ?? answer;
    },
    { hostname: env.publicUrl.host }, // for HTTP/1.0 requests without a Host header
  );
  const nowhere = nowherePages(await pagePaths(), isFile);
  // The known kinds are at most a moment old. For that moment, `/shop?kind=` with a new kind shows the whole shop. The
  // kind's own page, to which the lists link, is there at once.
  const isKind = (id: string) => kindIds().includes(id);
  const keyOf = (url: string) => (isOpen() ? (publicPage(url, isKind) ?? nowhere(url)) : undefined);
  const isKept = (url: string) => env.NODE_ENV === "production" && keyOf(url) !== undefined;
  const admit: TakeTurn = (request, response) =>
    refuseSearch(request, response) ? Promise.resolve(undefined) : takeTurn(request, response);
  const { inFront, around: cached } = publicPages(page, keyOf, admit);
  const made = withClientAddress(withRequestId(refuseUnknownHosts(cached(withLanes(limitSearches(answered))))));
  const front = inFront(made);
  const inside = await observed(
    around((request, response) => (isForThisShop(request) ? front : made)(request, response)),
  );
  return withRequestTarget((request, response) => {
    if (isDraining()) response.setHeader("Connection", "close");
    inside(request, response);
  });
}

/**
 * In production the router gets the build itself: from a function, as development needs it, the router would compute
 * its routes anew for each request.
 */
async function pageHandler(): Promise<Handlers["page"]> {
  const build = () => import("virtual:react-router/server-build");
  return createRequestHandler(env.NODE_ENV === "production" ? await build() : build, env.NODE_ENV);
}

async function pagePaths(): Promise<string[]> {
  const { routes } = await import("virtual:react-router/server-build");
  return [...pagePatterns(routes), ...api.map(({ path }) => path)];
}

/** Paths that may lead to another page than their first segment suggests. */
const IS_DETOUR = /%|\/\.|\/\//;

/**
 * The cache key of the page "not found", for a URL without a page; undefined for every other URL.
 */
function nowherePages(paths: string[], isFile: (path: string) => boolean): (url: string) => string | undefined {
  const routeOf = routeMatcher([...paths, ...OTHER_PLACES]);
  return (url) => {
    const [path = "", query = ""] = url.split("?", 2);
    if (routeOf(url) !== "other" || isFile(path) || IS_DETOUR.test(path) || query.includes("_routes")) return;
    if (namesFile(path)) return; // a short text is enough for a missing file
    return path.endsWith(".data") ? `${NOWHERE}.data` : NOWHERE;
  };
}

const PROBES = ["/healthz", "/readyz", "/status"];
/** Paths that neither the router nor the API answers. */
const WEBHOOKS = DESCRIPTIONS.flatMap(({ webhook }) => webhook?.path ?? []);
const READ_PLACES = ["/assets/*", "/images/*", ...PROBES];
const OTHER_PLACES = [...READ_PLACES, ...WEBHOOKS];
const OTHER_METHODS: [string, string[]][] = [
  ...READ_PLACES.map((place): [string, string[]] => [place, READING]),
  ...WEBHOOKS.map((place): [string, string[]] => [place, ["OPTIONS", "POST"]]),
];

/** Adds metrics and traces, whose code is loaded only if they are configured. */
async function observed(listener: RequestListener): Promise<RequestListener> {
  const { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT } = env;
  if (METRICS_PORT === undefined && !OTEL_EXPORTER_OTLP_ENDPOINT) return listener;
  const routeOf = routeMatcher([...(await pagePaths()), ...OTHER_PLACES]);
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

/** The cache of public pages. In development nothing is cached, since pages change with their code. */
function publicPages(page: Handlers["page"], keyOf: (url: string) => string | undefined, admit: TakeTurn) {
  const asIs = (next: RequestListener) => next;
  if (env.NODE_ENV !== "production") return { inFront: asIs, around: asIs };
  const hasChanged = catalogWatch();
  return pageCache({
    keyOf,
    mayBePersonal,
    isPersonal,
    renderingFor: renderingFor(),
    render: (key, rendering) => renderShared(page, key, rendering),
    async changed() {
      const changed = await hasChanged(db());
      return Array.isArray(changed) ? [...changed, ANY_PRODUCT] : changed;
    },
    partOf: stockShownOn,
    shownAt,
    saysNothing,
    answers: redirects,
    admit,
  });
}

/** Redirects a request for an old address. `key`: of the page that would be shown. */
function redirects(key: string, { url = "" }: IncomingMessage, response: ServerResponse): boolean {
  if (!key.endsWith(NOWHERE)) return false; // all pages that say that something does not exist end like this
  const [path = ""] = url.split("?", 1);
  const to = newAddressOf(path);
  if (to === undefined) return false;
  const id = response.getHeader(REQUEST_ID_HEADER) ?? newRequestId();
  response.writeHead(301, { ...redirectHeaders(to), [REQUEST_ID_HEADER]: id }).end();
  return true;
}

/** The redirect of an old address, which replaces a 404. Undefined if the path is none. */
function redirected(path: string): Response | undefined {
  const to = newAddressOf(path);
  return to === undefined ? undefined : new Response(null, { status: 301, headers: redirectHeaders(to) });
}

/** Whether it is the home page or its data: a shopper with a new order is greeted there. */
const isHome = (key: string) => key === "/" || key === "/_.data";

/**
 * Whether the page may be a shopper's own, or show a draft that this browser previews. While the database is away, no
 * draft can be found.
 */
function mayBePersonal(key: string, { headers: { cookie = "" } }: IncomingMessage): boolean {
  return mayBeShoppers(key, cookie) || (mayPreview(cookie) && !isDatabaseAway());
}

/**
 * The home page is the same for everybody without a session, and for everybody while the database is away. A missing
 * page shows the visitor's cart.
 */
function mayBeShoppers(key: string, cookies: string): boolean {
  if (key.startsWith(NOWHERE)) return hasCart(cookies);
  return isHome(key) && cookies.includes(SESSION_COOKIE) && !isDatabaseAway();
}

async function isPersonal(key: string, request: IncomingMessage): Promise<boolean> {
  const { cookie = "" } = request.headers;
  if (await findPreview(db(), cookie)) return true;
  if (!mayBeShoppers(key, cookie)) return false;
  if (key.startsWith(NOWHERE)) return true;
  const user = await userOf(request);
  return user !== null && hasNews(db(), user.id);
}

function userOf({ headers: { cookie = "" } }: IncomingMessage): Promise<SignedIn | null> {
  return currentUser(new Request(env.publicUrl, { headers: { cookie } }));
}

const hasCart = (cookie: string) => cookie.includes(SESSION_COOKIE) || cookie.includes(NO_SCRIPT_CART_COOKIE);

async function shownAt(key: string): Promise<string | undefined> {
  const thing = thingOf(key);
  if (!thing) return key;
  const id = thing.is === "collection" ? await collectionMeantBy(db(), thing.id) : await idMeantBy(db(), thing.id);
  if (id === undefined) return thing.otherwise;
  return id === thing.id ? key : undefined; // its page redirects, with the whole query
}

/** The suffix, after the currency, for the home page's rendering without the privacy notice. */
const ANSWERED = " answered";

/**
 * The currency that comes first on a visitor's pages and, on the home page, whether the privacy notice was answered;
 * nothing for a response without prices in two currencies.
 */
function renderingFor(): (key: string, request: IncomingMessage) => string {
  const countryIn = countryReader();
  return (key, request) => {
    if (!hasTwoRenderings(key)) return "";
    const { cookie = "" } = request.headers;
    const currency = leadingCurrency(request.url ?? "", cookie, () => countryIn(request));
    return isHome(key) && hasAnsweredNotice(cookie) ? currency + ANSWERED : currency;
  };
}

/** For caches in front of the shop: cookies decide the rendering, else the country, and a greeting. */
async function renderShared(page: Handlers["page"], key: string, rendering: string): Promise<Response> {
  if (!rendering) return sharedPage(page, key);
  const currency = choiceOf(rendering.replace(ANSWERED, ""));
  const cookies = rendering.endsWith(ANSWERED) ? `${currency}; ${answeredNotice()}` : currency;
  const answer = await sharedPage(page, key, cookies);
  const { COUNTRY_HEADER: country } = env;
  answer.headers.set("Vary", country ? `Cookie, ${country}` : "Cookie");
  // Without that header the address decides, which no cache can tell apart.
  if (!country && answer.status === 200) answer.headers.set("Cache-Control", "private, max-age=0");
  return answer;
}

function opening(): Response {
  return new Response("Opening ...", { status: 503, headers: { "Retry-After": "1", Refresh: "1" } });
}
