import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { pageCacheChannel } from "#app/infra/channels.server.ts";
import { log } from "#app/infra/log.server.ts";
import { accepted, compress, type Encoding } from "../encoding.server.ts";
import { type Body, type Page, PageStore } from "./page-store.server.ts";

const MB = 1024 * 1024;
/** In ms: so long a page is handed out without asking whether something has changed. */
const CHECK_INTERVAL = 250;

type Settings = {
  /** The name under which the page at this URL is kept; undefined: no page that everybody shares. */
  keyOf(url: string): string | undefined;
  /** Whether the page is another one for this visitor than for everybody: it is made for them then, and not kept. Undefined where it cannot be. */
  isPersonal?(key: string, request: IncomingMessage): Promise<boolean> | undefined;
  /** Makes the page from its name alone: nothing of a visitor can get into it. */
  render(key: string): Promise<Response>;
  /** Whether what the pages show has changed since the last call. */
  changed(): Promise<boolean>;
  /** Answers a visitor for whom no page is to be rendered anew; false when one may. */
  refuse?(request: IncomingMessage, response: ServerResponse): boolean;
  maxBytes?: number;
};

/**
 * Public pages, rendered once and handed out compressed. A page is valid until something that pages show has changed; that is looked up
 * at most four times a second and only while pages are asked for, so no message can be lost. Whoever asks at once shares one rendering.
 */
export function pageCache({
  keyOf,
  isPersonal = () => undefined,
  render,
  changed,
  refuse,
  maxBytes = 32 * MB,
}: Settings): {
  around(next: RequestListener): RequestListener;
} {
  const pages = new PageStore(maxBytes);
  const rendering = new Map<string, Promise<Page>>();
  /** Counted up with each change that was seen. */
  let version = 0;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;

  function check(): Promise<void> {
    const startedAt = performance.now();
    checking ??= changed()
      .then(
        (isChanged) => {
          if (isChanged) version++;
        },
        // Nothing can change while the database is away: what was valid stays so until it answers.
        (error) => log.warn({ err: error }, "changes of the catalogue cannot be seen"),
      )
      .finally(() => {
        checkedAt = startedAt;
        checking = undefined;
      });
    return checking;
  }

  const renderingName = (key: string) => `${version} ${key}`;

  function rendered(key: string): Promise<Page> {
    const name = renderingName(key);
    let running = rendering.get(name);
    if (!running) {
      running = make(key, version).finally(() => rendering.delete(name));
      rendering.set(name, running);
    }
    return running;
  }

  async function make(key: string, startedFrom: number): Promise<Page> {
    const answer = await render(key);
    if (answer.headers.has("Set-Cookie")) throw new Error(`${key} is public and sets a cookie`);
    const html = Buffer.from(await answer.arrayBuffer());
    const hash = createHash("sha256").update(html).digest("base64url").slice(0, 27);
    const headers = Object.fromEntries(answer.headers);
    const page = { status: answer.status, headers, html, hash, bodies: new Map(), version: startedFrom };
    if (page.status === 200) pages.keep(key, page);
    return page;
  }

  async function bodyOf(key: string, page: Page, encoding: Encoding): Promise<Body> {
    const known = page.bodies.get(encoding);
    if (known) return known;
    const compressed = await compress(page.html, encoding);
    const body = { bytes: compressed, headers: headersFor(page, encoding, compressed) };
    pages.keepBody(key, page, encoding, body);
    return body;
  }

  async function answer(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (performance.now() - checkedAt > CHECK_INTERVAL) await check();
    const known = pages.find(key, version);
    pageCacheChannel.publish(known ? "hit" : "miss");
    if (!known && !rendering.has(renderingName(key)) && refuse?.(request, response)) return;
    const page = known ?? (await rendered(key));
    send(page, await bodyOf(key, page, accepted(request.headers["accept-encoding"], "many")), request, response);
  }

  function handOut(key: string, request: IncomingMessage, response: ServerResponse, next: RequestListener): void {
    // At once when nothing has to be waited for.
    const page = performance.now() - checkedAt <= CHECK_INTERVAL ? pages.find(key, version) : undefined;
    const body = page?.bodies.get(accepted(request.headers["accept-encoding"], "many"));
    if (page && body) {
      pageCacheChannel.publish("hit");
      send(page, body, request, response);
    } else
      answer(key, request, response).catch((error) => {
        log.warn({ err: error, key }, "a public page could not be made for everybody");
        next(request, response);
      });
  }

  return {
    around: (next) =>
      function pageOrNext(request, response) {
        const key = request.method === "GET" || request.method === "HEAD" ? keyOf(request.url ?? "") : undefined;
        if (key === undefined) return next(request, response);
        const asked = isPersonal(key, request);
        if (!asked) return handOut(key, request, response, next);
        asked.then(
          (isForOne) => (isForOne ? next(request, response) : handOut(key, request, response, next)),
          (error) => {
            log.warn({ err: error, key }, "whether a page is another one for its visitor cannot be seen");
            handOut(key, request, response, next);
          },
        );
      },
  };
}

function headersFor({ headers, hash }: Page, encoding: Encoding, bytes: Buffer): OutgoingHttpHeaders {
  return {
    ...headers,
    "content-length": bytes.length,
    etag: `"${hash}-${encoding}"`,
    vary: headers.vary ? `${headers.vary}, Accept-Encoding` : "Accept-Encoding",
    ...(encoding !== "identity" && { "content-encoding": encoding }),
  };
}

function send(page: Page, { bytes, headers }: Body, request: IncomingMessage, response: ServerResponse): void {
  if (page.status === 200 && isKnown(request.headers["if-none-match"], String(headers.etag))) {
    const { "content-length": _, "content-encoding": __, "content-type": ___, ...rest } = headers;
    response.writeHead(304, rest).end();
  } else {
    response.writeHead(page.status, headers).end(request.method === "HEAD" ? undefined : bytes);
  }
}

function isKnown(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(",").some((one) => {
    const tag = one.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}
