import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { pageCache } from "./page-cache.server.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server whose pages (everything but /private) say how often they have been rendered. */
async function pagesServer({ maxBytes, size = 2000 }: { maxBytes?: number; size?: number } = {}) {
  const world = {
    renderings: [] as string[],
    changed: false as boolean | string[],
    away: false,
    looks: 0,
    passedOn: 0,
    slow: Promise.resolve(),
    status: 200,
  };
  const { inFront, around } = pageCache({
    maxBytes,
    keyOf: (url) => (url.startsWith("/private") ? undefined : url.split("?")[0]),
    mayBePersonal: (_, { headers }) => headers.cookie !== undefined,
    isPersonal: (_, { headers }) =>
      headers.cookie === "news" ? Promise.resolve(true) : Promise.reject(new Error("the database is away")),
    renderingFor: (_, { headers }) => String(headers["x-currency"] ?? ""),
    partOf: (key) => (key.startsWith("/tee") ? key.slice(1) : undefined),
    async render(key, currency) {
      world.renderings.push(key + currency);
      const html = `${key} ${currency}${world.renderings.length} ${"x".repeat(size)}`;
      await world.slow;
      return new Response(html, { status: world.status, headers: { "Content-Type": "text/html" } });
    },
    async changed() {
      world.looks++;
      if (world.away) throw new Error("the database is away");
      const { changed } = world;
      world.changed = false;
      return changed;
    },
  });
  const behind = around((_, response) => response.end("made for one visitor"));
  const server = createServer(
    inFront((request, response) => {
      world.passedOn++;
      const { "x-named": name } = request.headers;
      if (name) response.setHeader("X-Request-Id", name);
      behind(request, response);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    new Promise<IncomingMessage & { bytes: Buffer }>((resolve, reject) => {
      get(origin + path, { headers, method, agent: false }, async (answer) =>
        resolve(Object.assign(answer, { bytes: await buffer(answer) })),
      ).on("error", reject);
    });
  return { world, ask };
}

test("a cached page is sent without any other work, each time with a new request id, but not to a visitor with an own page", async () => {
  const { world, ask } = await pagesServer();
  // The clock stands still: without it, changes would be checked again after a quarter of a second.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  closing.push(() => clock.mockRestore());
  await ask("/shop"); // made, and kept
  const before = world.passedOn;
  const answers = [await ask("/shop"), await ask("/shop", {}, "HEAD")];
  const known = await ask("/shop", { "if-none-match": String(answers[0]?.headers.etag) });
  expect([world.passedOn - before, known.statusCode, known.bytes.length]).toEqual([0, 304, 0]);
  const ids = [...answers, known].map(({ headers }) => headers["x-request-id"]);
  expect([new Set(ids).size, ids.every((id) => /^[\da-f-]{36}$/.test(String(id)))]).toEqual([3, true]);
  expect((await ask("/shop", { cookie: "news" })).bytes.toString()).toBe("made for one visitor");
  expect(world.passedOn - before).toBe(1);
});

test("no two responses have the same request id, and a rendered one has that of its request", async () => {
  const { world, ask } = await pagesServer();
  let finish = () => {};
  world.slow = new Promise((resolve) => {
    finish = resolve;
  });
  const asked = Array.from({ length: 10 }, (_, at) => ask("/shop", { "x-named": `made-${at}` }));
  await expect.poll(() => world.passedOn).toBe(10);
  finish();
  const made = await Promise.all(asked);
  const kept = await Promise.all(Array.from({ length: 30 }, () => ask("/shop")));
  const idOf = ({ headers }: IncomingMessage) => String(headers["x-request-id"]);
  expect(made.map(idOf)).toEqual(made.map((_, at) => `made-${at}`));
  expect(new Set(kept.map(idOf)).size).toBe(30);
  for (const answer of kept) expect(idOf(answer)).toMatch(/^[\da-f-]{36}$/);
});

test("a page is rendered once for simultaneous requests", async () => {
  const { world, ask } = await pagesServer();
  let finish = () => {};
  world.slow = new Promise((resolve) => {
    finish = resolve;
  });
  const asked = Array.from({ length: 20 }, () => ask("/shop"));
  await expect.poll(() => world.renderings).toEqual(["/shop"]);
  finish();
  for (const { bytes } of await Promise.all(asked)) expect(bytes.toString()).toMatch(/^\/shop 1 /);
  await ask("/shop");
  expect(world.renderings).toEqual(["/shop"]);
});

test("a visitor with an own version of a page gets that, and nobody else does", async () => {
  const { world, ask } = await pagesServer();
  expect((await ask("/", { cookie: "news" })).bytes.toString()).toBe("made for one visitor");
  expect((await ask("/")).bytes.toString()).toMatch(/^\/ 1 /);
  expect((await ask("/", { cookie: "news" })).bytes.toString()).toBe("made for one visitor");
  expect(world.renderings).toEqual(["/"]);
});

test("if a failure hides whether there is an own version, the visitor gets the shared page", async () => {
  const { ask } = await pagesServer();
  expect((await ask("/", { cookie: "lost" })).bytes.toString()).toMatch(/^\/ 1 /);
});

test("each rendering of a page is made once, and has its own ETag", async () => {
  const { world, ask } = await pagesServer();
  const tags = new Set();
  for (const currency of ["NGN", "USD", "NGN", "USD"]) {
    const { bytes, headers } = await ask("/shop", { "x-currency": currency });
    expect(bytes.toString()).toMatch(currency === "NGN" ? /^\/shop NGN1 / : /^\/shop USD2 /);
    tags.add(headers.etag);
  }
  expect([world.renderings, tags.size]).toEqual([["/shopNGN", "/shopUSD"], 2]);
});

test("two compressed renderings take less memory than the text of one", async () => {
  const { world, ask } = await pagesServer({ maxBytes: 60_000, size: 30_000 });
  const asked = ["/a", "/b", "/a", "/b"].flatMap((path) => ["NGN", "USD"].map((currency) => [path, currency] as const));
  for (const [path, currency] of asked) await ask(path, { "x-currency": currency, "accept-encoding": "br" });
  expect(world.renderings).toEqual(["/aNGN", "/aUSD", "/bNGN", "/bUSD"]);
});

test("a page that is kept only compressed is sent in another encoding without a new rendering", async () => {
  const { world, ask } = await pagesServer();
  const [br, gzip] = [
    await ask("/shop", { "accept-encoding": "br" }),
    await ask("/shop", { "accept-encoding": "gzip" }),
  ];
  const plain = (await ask("/shop")).bytes.toString();
  expect([brotliDecompressSync(br.bytes).toString(), gunzipSync(gzip.bytes).toString()]).toEqual([plain, plain]);
  expect(world.renderings).toEqual(["/shop"]);
});

test("after a change a page is rendered again, once", async () => {
  const { world, ask } = await pagesServer();
  await ask("/shop");
  world.changed = true;
  await expect.poll(async () => (await ask("/shop")).bytes.toString()).toMatch(/^\/shop 2 /);
  await ask("/shop");
  expect(world.renderings).toHaveLength(2);
});

test("after a change of one product only the pages that show it are rendered again", async () => {
  const { world, ask } = await pagesServer();
  const all = ["/tee-1", "/tee-2", "/shop"];
  for (const path of all) await ask(path);
  world.changed = ["tee-1"];
  await expect.poll(async () => (await ask("/tee-1")).bytes.toString()).toMatch(/^\/tee-1 4 /);
  for (const path of all) await ask(path);
  expect(world.renderings).toEqual([...all, "/tee-1"]);
  world.changed = true;
  await expect.poll(async () => (await ask("/tee-1")).bytes.toString()).toMatch(/^\/tee-1 5 /);
  for (const path of all) await ask(path);
  expect(world.renderings.slice(4)).toEqual(["/tee-1", "/tee-2", "/shop"]);
});

test.each([{ change: true }, { change: ["tee-1"] }])(
  "a page whose rendering began before $change is not cached",
  async ({ change }) => {
    const { world, ask } = await pagesServer();
    let finish = () => {};
    world.slow = new Promise((resolve) => {
      finish = resolve;
    });
    const old = ask("/tee-1");
    await expect.poll(() => world.renderings).toHaveLength(1);
    world.changed = change;
    await expect
      .poll(async () => {
        void ask("/tee-1");
        return world.renderings.length;
      })
      .toBe(2);
    finish();
    expect((await old).bytes.toString()).toMatch(/^\/tee-1 1 /);
    expect((await ask("/tee-1")).bytes.toString()).toMatch(/^\/tee-1 2 /);
  },
);

test("while the database is unavailable, the last valid pages are served", async () => {
  const { world, ask } = await pagesServer();
  await ask("/shop");
  world.away = true;
  const looks = world.looks;
  await expect
    .poll(async () => {
      expect((await ask("/shop")).bytes.toString()).toMatch(/^\/shop 1 /);
      return world.looks;
    })
    .toBeGreaterThan(looks);
});

test.each([
  ["br, gzip", "br", brotliDecompressSync],
  ["gzip, deflate", "gzip", gunzipSync],
  ["gzip, br;q=0", "gzip", gunzipSync],
  ["", undefined, (bytes: Buffer) => bytes],
])("a visitor who takes “%s” gets %s", async (accepts, encoding, decompress) => {
  const { ask } = await pagesServer();
  for (let turn = 0; turn < 2; turn++) {
    const answer = await ask("/shop", { "accept-encoding": accepts });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    expect(answer.headers.vary).toBe("Accept-Encoding");
    expect(Number(answer.headers["content-length"])).toBe(answer.bytes.length);
    expect(decompress(answer.bytes).toString()).toMatch(/^\/shop 1 x+$/);
  }
});

test("a request with a matching ETag gets 304 without a body, and each encoding has its own ETag", async () => {
  const { ask } = await pagesServer();
  const tags = [];
  for (const encoding of ["br", "gzip"]) {
    const { headers } = await ask("/shop", { "accept-encoding": encoding });
    tags.push(headers.etag);
    for (const known of [headers.etag ?? "", `W/${headers.etag}`, `"other", ${headers.etag}`]) {
      const again = await ask("/shop", { "accept-encoding": encoding, "if-none-match": known });
      expect([again.statusCode, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    }
    expect((await ask("/shop", { "accept-encoding": encoding, "if-none-match": '"other"' })).statusCode).toBe(200);
  }
  expect(new Set(tags).size).toBe(2);
});

test("HEAD gets only the headers; other methods and pages are passed on", async () => {
  const { world, ask } = await pagesServer();
  const head = await ask("/shop", {}, "HEAD");
  expect([head.statusCode, head.bytes.length]).toEqual([200, 0]);
  expect((await ask("/shop", {}, "POST")).bytes.toString()).toBe("made for one visitor");
  expect((await ask("/private", {})).bytes.toString()).toBe("made for one visitor");
  expect(world.renderings).toEqual(["/shop"]);
});

test("a page with status 404 is not cached", async () => {
  const { world, ask } = await pagesServer();
  world.status = 404;
  expect((await ask("/no")).statusCode).toBe(404);
  world.status = 200;
  expect((await ask("/no")).statusCode).toBe(200);
});

test("memory is bounded: the least recently requested page is dropped first", async () => {
  const { world, ask } = await pagesServer({ maxBytes: 20_000 });
  for (const path of ["/a", "/b", "/c", "/a", "/d"]) await ask(path);
  expect(world.renderings).toEqual(["/a", "/b", "/c", "/d"]);
  await ask("/a");
  expect(world.renderings).toHaveLength(4);
  await ask("/b");
  expect(world.renderings.at(-1)).toBe("/b");
});

test("memory is bounded by the number of pages, too, however short they are", async () => {
  const { world, ask } = await pagesServer({ maxBytes: 20_000, size: 0 });
  for (const path of ["/a", "/b", "/c", "/d", "/e", "/e", "/a"]) await ask(path);
  expect(world.renderings).toEqual(["/a", "/b", "/c", "/d", "/e", "/a"]);
});
