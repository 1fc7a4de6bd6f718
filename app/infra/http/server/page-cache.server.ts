import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { pageCacheChannel } from "#app/infra/channels.server.ts";
import { log } from "#app/infra/log.server.ts";
import { accepted, compress, decompress, type Encoding } from "../encoding.server.ts";
import type { TakeTurn } from "../lanes/lanes.server.ts";
import { newRequestId, REQUEST_ID_HEADER } from "../request-context.server.ts";
import { namesTag } from "./conditional.ts";
import { type Body, type Page, PageStore } from "./page-store.server.ts";

const MB = 1024 * 1024;
/** In ms: how long pages are served without checking for changes. */
const CHECK_INTERVAL = 250;

type Settings = {
  /** The cache key of the page at this URL; undefined if the page is not shared by all visitors. */
  keyOf(url: string): string | undefined;
  /** Whether the page may differ for this visitor: only then is `isPersonal` called. */
  mayBePersonal?(key: string, request: IncomingMessage): boolean;
  /** Whether the page differs for this visitor: it is then rendered for this request and not cached. */
  isPersonal?(key: string, request: IncomingMessage): Promise<boolean>;
  /** The name of the page's rendering for this visitor: one of a few words, such as a currency. */
  renderingFor?(key: string, request: IncomingMessage): string;
  /**
   * Renders the page from its key and the name of the rendering alone, so that nothing else of a visitor can get into
   * it.
   */
  render(key: string, rendering: string): Promise<Response>;
  /** Whether what the pages show has changed since the last call; a list if only these parts of it have. */
  changed(): Promise<boolean | readonly string[]>;
  /** The part that the page shows, if any: a change of it, or of everything, makes the cached page outdated. */
  partOf?(key: string): string | undefined;
  /**
   * The key of the page to show: another key if nothing exists under this one, undefined if the response is made for
   * each visitor. Called only if no page is cached under this key.
   */
  shownAt?(key: string): Promise<string | undefined>;
  /** Whether the page is cached in spite of its status 404: one page stands for all missing ones. */
  saysNothing?(key: string): boolean;
  /**
   * Answers a request for this page in another way, such as by a redirect; false if it does not. Called once for each
   * request, before anything else, and again under the page's key if nothing exists under the asked one.
   */
  answers?(key: string, request: IncomingMessage, response: ServerResponse): boolean;
  /** Takes a turn before a page is rendered; undefined if the request has been answered already. */
  admit?: TakeTurn;
  maxBytes?: number;
};

/**
 * Public pages, rendered once and served compressed. A page is valid until something that pages show has changed.
 * Changes are polled, at most four times a second and only while pages are requested, so no notification can be lost.
 * Concurrent requests share one rendering.
 */
export function pageCache({
  keyOf,
  mayBePersonal = () => false,
  isPersonal = () => Promise.resolve(false),
  renderingFor = () => "",
  render,
  changed,
  partOf = () => undefined,
  shownAt = (key) => Promise.resolve(key),
  saysNothing = () => false,
  answers = () => false,
  admit = () => () => undefined,
  maxBytes = 32 * MB,
}: Settings): {
  /** Serves cached pages at once, without the steps that rendering needs; passes other requests on to `next`. */
  inFront(next: RequestListener): RequestListener;
  /** Serves public pages, and renders those that are not cached; passes other requests on to `next`. */
  around(next: RequestListener): RequestListener;
} {
  const pages = new PageStore(maxBytes);
  const rendering = new Map<string, Promise<Page>>();
  /** Incremented with each change that was found. */
  let version = 0;
  /** The version of the last change of everything, and of the changes of parts since then. */
  let everything = 0;
  const parts = new Map<string, number>();
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;

  function check(): Promise<void> {
    const startedAt = performance.now();
    checking ??= changed()
      .then(
        noteChange,
        // Nothing can change while the database is away, so valid pages stay valid until it answers.
        (error) => log.warn({ err: error }, "changes of the catalogue cannot be seen"),
      )
      .finally(() => {
        checkedAt = startedAt;
        checking = undefined;
      });
    return checking;
  }

  function noteChange(change: boolean | readonly string[]): void {
    if (change === false) return;
    version++;
    if (change === true) {
      everything = version;
      parts.clear();
    } else for (const part of change) parts.set(part, version);
  }

  /** The version from which the page must have been rendered at least. */
  const neededFor = (key: string) => parts.get(partOf(key) ?? "") ?? everything;

  const runningName = ({ key, name }: Place) => `${neededFor(key)} ${name}`;

  function rendered(place: Place): Promise<Page> {
    const name = runningName(place);
    const running = make(place, version).finally(() => rendering.delete(name));
    rendering.set(name, running);
    return running;
  }

  async function make({ key, kind, name }: Place, startedFrom: number): Promise<Page> {
    const answer = await render(key, kind);
    if (answer.headers.has("Set-Cookie")) throw new Error(`${key} is public and sets a cookie`);
    const html = Buffer.from(await answer.arrayBuffer());
    const hash = createHash("sha256").update(html).digest("base64url").slice(0, 27);
    const headers = Object.fromEntries(answer.headers);
    const page = { status: answer.status, headers, html, hash, bodies: new Map(), version: startedFrom };
    if (page.status === 200 || (page.status === 404 && saysNothing(key))) pages.keep(name, page);
    return page;
  }

  async function bodyOf(name: string, page: Page, encoding: Encoding): Promise<Body> {
    const known = page.bodies.get(encoding);
    if (known) return known;
    const compressed = await compress(await textOf(page), encoding);
    const body = { bytes: compressed, headers: headersFor(page, encoding, compressed) };
    pages.keepBody(name, page, encoding, body);
    return body;
  }

  const kept = ({ key, name }: Place) => pages.find(name, neededFor(key));
  const known = (place: Place) => kept(place) ?? rendering.get(runningName(place));

  async function answer(
    asked: string,
    request: IncomingMessage,
    response: ServerResponse,
    next: RequestListener,
  ): Promise<void> {
    if (performance.now() - checkedAt > CHECK_INTERVAL) await check();
    const kind = renderingFor(asked, request);
    const key = known(placeOf(asked, kind)) ? asked : await shownAt(asked);
    if (key === undefined) return next(request, response);
    if (key !== asked && answers(key, request, response)) return;
    const place = placeOf(key, kind);
    pageCacheChannel.publish(kept(place) ? "hit" : "miss");
    const page = await (known(place) ?? renderedInTurn(place, request, response));
    if (!page) return;
    send(page, await bodyOf(place.name, page, accepted(request.headers["accept-encoding"], "many")), request, response);
  }

  /** Takes a turn and renders the page, unless it was rendered for another request meanwhile. */
  async function renderedInTurn(
    place: Place,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Page | undefined> {
    const leave = await admit(request, response);
    if (!leave) return;
    try {
      return await (known(place) ?? rendered(place));
    } finally {
      leave();
    }
  }

  /**
   * The page under this key and its body in the encoding that this browser accepts, if both are cached and known to be
   * valid.
   */
  function keptFor(key: string, request: IncomingMessage): { page: Page; body: Body } | undefined {
    if (performance.now() - checkedAt > CHECK_INTERVAL) return;
    const page = kept(placeOf(key, renderingFor(key, request)));
    const body = page?.bodies.get(accepted(request.headers["accept-encoding"], "many"));
    return page && body && { page, body };
  }

  function handOut(key: string, request: IncomingMessage, response: ServerResponse, next: RequestListener): void {
    const kept = keptFor(key, request);
    if (kept) {
      pageCacheChannel.publish("hit");
      send(kept.page, kept.body, request, response);
    } else
      answer(key, request, response, next).catch((error) => {
        log.warn({ err: error, key }, "a public page could not be made for everybody");
        next(request, response);
      });
  }

  const keyIn = ({ method, url = "" }: IncomingMessage) =>
    method === "GET" || method === "HEAD" ? keyOf(url) : undefined;

  return {
    inFront: (next) =>
      function keptOrNext(request, response) {
        const key = keyIn(request);
        if (key !== undefined && answers(key, request, response)) return;
        const kept = key === undefined || mayBePersonal(key, request) ? undefined : keptFor(key, request);
        if (!kept) return next(request, response);
        pageCacheChannel.publish("hit");
        send(kept.page, kept.body, request, response);
      },
    around: (next) =>
      function pageOrNext(request, response) {
        const key = keyIn(request);
        if (key === undefined) return next(request, response);
        if (!mayBePersonal(key, request)) return handOut(key, request, response, next);
        isPersonal(key, request).then(
          (isForOne) => (isForOne ? next(request, response) : handOut(key, request, response, next)),
          (error) => {
            log.warn({ err: error, key }, "whether a page is another one for its visitor cannot be seen");
            handOut(key, request, response, next);
          },
        );
      },
  };
}

/** A rendering of a page, and the name under which it is cached. */
type Place = { key: string; kind: string; name: string };

const placeOf = (key: string, kind: string): Place => ({ key, kind, name: `${kind} ${key}` });

async function textOf({ html, bodies }: Page): Promise<Buffer<ArrayBuffer>> {
  const [kept] = bodies;
  if (html) return html;
  if (!kept) throw new Error("A page without text or body");
  const [encoding, { bytes }] = kept;
  return decompress(bytes, encoding);
}

function headersFor({ headers, hash }: Page, encoding: Encoding, bytes: Buffer): OutgoingHttpHeaders {
  return {
    ...headers,
    "content-length": bytes.length,
    etag: `"${hash}-${encoding}"`,
    vary: headers.vary ? `${headers.vary}, Accept-Encoding` : "Accept-Encoding",
    ...(encoding !== "identity" && { "content-encoding": encoding }),
    [REQUEST_ID_HEADER]: "", // replaced for each response
  };
}

/**
 * Writes the request's id into the cached headers themselves: `writeHead` sends them before another response replaces
 * the id, so no copy is needed. Setting the header on the response instead would be slower by half.
 */
function send(page: Page, { bytes, headers }: Body, request: IncomingMessage, response: ServerResponse): void {
  headers[REQUEST_ID_HEADER] = response.getHeader(REQUEST_ID_HEADER) ?? newRequestId();
  if (page.status === 200 && namesTag(request.headers["if-none-match"], String(headers.etag))) {
    const { "content-length": _, "content-encoding": __, "content-type": ___, ...rest } = headers;
    response.writeHead(304, rest).end();
  } else {
    response.writeHead(page.status, headers).end(request.method === "HEAD" ? undefined : bytes);
  }
}
