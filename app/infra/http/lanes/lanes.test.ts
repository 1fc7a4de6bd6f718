import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "../network.ts";
import { createLanes, WIDTHS } from "./lanes.server.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const LONG = 60_000;
const NONE = 1;
const wait = (mayWait: number) =>
  ({
    browse: { ...WIDTHS.browse, mayWait },
    door: { ...WIDTHS.door, mayWait },
    account: { ...WIDTHS.account, mayWait },
    upload: { ...WIDTHS.upload, mayWait },
  }) satisfies typeof WIDTHS;

type Asked = { from?: string; path?: string; cookie?: string; method?: string; body?: string; agent?: Agent };

/** A server whose every answer hangs until it is released. `ada` and `obi` have sessions. */
async function hangingServer(widths = wait(LONG)) {
  const hanging: { name: string; response: ServerResponse }[] = [];
  const { around, lanes } = createLanes({
    errandOf: ({ url = "" }) => (url === "/healthz" ? undefined : url.startsWith("/buy") ? "buy" : "browse"),
    tokenIn: ({ headers }) => headers.cookie,
    userOf: async ({ headers: { cookie = "" } }) => ["ada", "obi"].find((name) => cookie.startsWith(name)),
    widths,
  });
  const listener = around((asked: IncomingMessage, response) => {
    const { rawBody } = asked as IncomingMessage & { rawBody?: Buffer };
    hanging.push({ name: `${asked.url}${rawBody ?? ""}`, response });
  });
  const server = createServer((asked, response) => {
    asked.headers[CLIENT_ADDRESS_HEADER] = String(asked.headers["x-from"]);
    listener(asked, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo;

  /** The request stays open if it is a POST without a body. */
  function send({ from = "a", path = "/look", cookie = "", method = "GET", body, agent }: Asked = {}) {
    const headers = { "x-from": from, cookie, ...(method === "POST" && { "content-length": 4 }) };
    const asking = request({ port, path, method, headers, agent });
    asking.on("error", () => undefined); // a test may abort the request
    if (method === "GET" || body) asking.end(body);
    else asking.flushHeaders();
    return asking;
  }
  async function ask(asked: Asked = {}) {
    const [answer] = (await once(send(asked), "response")) as [IncomingMessage];
    const { statusCode: status, headers } = answer;
    return {
      status,
      retryAfter: headers["retry-after"],
      connection: headers.connection,
      text: String(await buffer(answer)),
    };
  }
  const names = () => hanging.map(({ name }) => name);
  const release = (name: string) => {
    const at = hanging.findIndex((one) => one.name === name);
    hanging.splice(at, 1)[0]?.response.end(name);
  };
  return { send, ask, names, release, lanes };
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("3 few requests of a network are in progress at once", () => {
  test("3 the next one waits until one has its response", async () => {
    const { ask, names, release, lanes } = await hangingServer();
    const asked = times(5).map((n) => ask({ path: `/look${n}` }));
    await expect.poll(() => lanes.browse.counts).toMatchObject({ underWay: 3, waiting: 2 });
    release(names()[0] ?? "");
    await expect.poll(() => lanes.browse.counts).toMatchObject({ underWay: 3, waiting: 1 });
    await expect.poll(() => names().length).toBe(3);
    for (const name of [...names()]) release(name);
    await expect.poll(() => names().length).toBe(1);
    for (const name of [...names()]) release(name);
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(lanes.browse.counts).toMatchObject({ underWay: 0, waiting: 0 });
  });

  test("3 one that has waited for too long gets 429 with Retry-After, on a connection that stays", async () => {
    const { send, ask, names, lanes } = await hangingServer(wait(NONE));
    for (const n of times(3)) void send({ path: `/look${n}` });
    await expect.poll(() => names().length).toBe(3);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closing.push(() => agent.destroy());
    const refused = { status: 429, retryAfter: "5", connection: "keep-alive" };
    expect(await ask({ agent })).toMatchObject(refused);
    expect(await ask({ agent })).toMatchObject(refused);
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    expect(lanes.browse.counts).toMatchObject({ underWay: 3, waiting: 0 });
  });

  test("3 another network's do not wait, and neither do health checks", async () => {
    const { send, ask, names, release } = await hangingServer();
    for (const n of times(20)) void send({ path: `/look${n}` });
    await expect.poll(() => names().length).toBe(3);
    const others = [ask({ from: "b", path: "/other" }), ask({ path: "/healthz" })];
    await expect.poll(names).toContain("/other");
    await expect.poll(names).toContain("/healthz");
    release("/other");
    release("/healthz");
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("3 requests about a cart or an account do not wait, from the same network", async () => {
    const { send, names } = await hangingServer();
    for (const n of times(20)) void send({ path: `/look${n}` });
    await expect.poll(() => names().length).toBe(3);
    void send({ path: "/buy" });
    await expect.poll(names).toContain("/buy");
  });

  test("3 a signed-in user's do not wait, from the same network, and those of an invented session do", async () => {
    const { send, names, lanes } = await hangingServer();
    for (const n of times(20)) void send({ path: `/buy${n}`, cookie: `made up ${n}` });
    await expect.poll(() => lanes.door.counts).toMatchObject({ underWay: 4, waiting: 16 });
    for (const n of times(6)) void send({ path: `/buy by ada ${n}`.replaceAll(" ", "-"), cookie: `ada ${n}` });
    void send({ path: "/buy-by-obi", cookie: "obi" });
    await expect.poll(names).toContain("/buy-by-obi");
    await expect.poll(() => lanes.account.counts).toMatchObject({ underWay: 5, waiting: 2 });
    expect(lanes.door.counts).toMatchObject({ underWay: 4, waiting: 16 });
  });
});

test("3 if all networks together send too many requests, one that has waited gets 503", async () => {
  const { send, ask, names } = await hangingServer(wait(NONE));
  for (const n of times(WIDTHS.browse.all)) void send({ from: `network ${n}` });
  await expect.poll(() => names().length).toBe(WIDTHS.browse.all);
  expect(await ask({ from: "the last" })).toMatchObject({ status: 503, retryAfter: "2" });
});

test("3 networks take turns, even if many requests of one wait", async () => {
  const { send, names, release, lanes } = await hangingServer({
    ...wait(LONG),
    browse: { ...wait(LONG).browse, all: 3 },
  });
  for (const n of times(10)) void send({ path: `/a${n}` });
  await expect.poll(() => lanes.browse.counts).toMatchObject({ underWay: 3, waiting: 7 });
  void send({ from: "b", path: "/b" });
  await expect.poll(() => lanes.browse.counts.waiting).toBe(8);
  for (let turns = 0; turns < 2; turns++) {
    release(names()[0] ?? "");
    await expect.poll(() => names().length).toBe(3);
  }
  expect(names()).toContain("/b");
});

test("3 a client that disconnects frees its place, waiting or not", async () => {
  const { send, lanes } = await hangingServer();
  const asking = times(8).map((n) => send({ path: `/look${n}` }));
  await expect.poll(() => lanes.browse.counts).toMatchObject({ underWay: 3, waiting: 5 });
  for (const one of asking) one.destroy();
  await expect.poll(() => lanes.browse.counts).toMatchObject({ underWay: 0, waiting: 0 });
});

test("3 a form that is sent byte by byte takes no turn until it is complete, and is then read unchanged", async () => {
  const { send, names, lanes } = await hangingServer();
  const slow = times(40).map((n) => send({ path: `/buy${n}`, method: "POST" }));
  for (const one of slow) one.write("a=");
  void send({ path: "/buy-whole", method: "POST", body: "b=22" });
  await expect.poll(names).toEqual(["/buy-wholeb=22"]);
  expect(lanes.door.counts).toMatchObject({ underWay: 1, waiting: 0 });
  slow[0]?.end("12");
  await expect.poll(names).toEqual(["/buy-wholeb=22", "/buy0a=12"]);
});
