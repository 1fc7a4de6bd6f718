import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Body, Case, Signing } from "./cases.ts";
import { problemsOf } from "./check.ts";
import { type Answer, send } from "./send.ts";
import { isSlowAgain, SLOW } from "./slow.ts";
import { NAMES, type Names, type World } from "./world.ts";

// What the fuzzer makes of missing and late answers, and of a webhook that is accepted.

const world: World = { cookies: {}, staff: [], names: Object.fromEntries(NAMES.map((name) => [name, name])) as Names };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that leaves each connection to `answer` after the first data. */
async function placeOf(answer: (socket: Socket, request: string) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (request) => answer(socket, request.toString()));
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}` };
}

const aCase = (more: Partial<Case>): Case => ({
  app: "shop",
  method: "GET",
  door: "/",
  parts: [],
  scripted: false,
  query: [],
  who: "nobody",
  headers: {},
  ...more,
});
const HEAD = "HTTP/1.1 200 OK\r\nX-Content-Type-Options: nosniff\r\nContent-Type: text/plain\r\n";
const TOO_LARGE = HEAD.replace("200 OK", "413 Content Too Large");

async function problems(one: Case, answer: (socket: Socket, request: string) => void): Promise<string[]> {
  const place = await placeOf(answer);
  return problemsOf(await send(one, place, world, "203.0.113.7"), one, place, world);
}

test.each([
  ["by its length", `${HEAD}Content-Length: 100\r\n\r\nthe beginning`],
  ["by its parts", `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nthe b\r\n`],
])("an answer that ends too early %s is none", async (_, text) => {
  expect(await problems(aCase({}), (socket) => socket.end(text))).toEqual([
    expect.stringMatching(/^no answer: a 200 ends after \d+ bytes$/),
  ]);
});

test.each([
  ["an answer as long as it says", `${HEAD}Content-Length: 2\r\n\r\nok`],
  ["an answer that ends with its connection", `${HEAD}\r\nok`],
])("%s is whole", async (_, text) => {
  expect(await problems(aCase({}), (socket) => socket.end(text))).toEqual([]);
});

const large = aCase({ method: "POST", body: { kind: "raw", type: "text/plain", text: "x".repeat(70_000) } });
const isAnnounced = (request: string) => !request.split("\r\n\r\n")[1];

test("a large body on which the connection breaks is excused where its length alone is refused", async () => {
  const refusing = (socket: Socket, request: string) =>
    isAnnounced(request) ? socket.end(`${TOO_LARGE}Connection: close\r\n\r\n`) : socket.resetAndDestroy();
  expect(await problems(large, refusing)).toEqual([]);
});

test("else it is no answer", async () => {
  const breaking = (socket: Socket) => socket.resetAndDestroy();
  expect(await problems(large, breaking)).toEqual([expect.stringContaining("no answer")]);
  const taking = (socket: Socket, request: string) =>
    isAnnounced(request) ? socket.end(`${HEAD}Content-Length: 0\r\n\r\n`) : socket.resetAndDestroy();
  expect(await problems(large, taking)).toEqual([expect.stringContaining("no answer")]);
});

const webhook = (signed: Signing | undefined, headers: Case["headers"] = {}) => {
  const body: Body = { kind: "json", value: {}, signed };
  return aCase({ method: "POST", door: "/webhooks/paystack", parts: ["webhooks", "paystack"], headers, body });
};

test.each([
  ["unsigned", webhook(undefined), true],
  ["signed by another key", webhook("by another key"), true],
  ["signed as another message", webhook("of another message"), true],
  ["with a made-up signature", webhook("rightly", { "x-paystack-signature": "x" }), true],
  ["the provider's", webhook("rightly"), false],
])("a webhook, %s, that is taken is a finding if it is forged", (_, one, isForged) => {
  const answer: Answer = { status: 200, headers: {}, text: "", ms: 1 };
  const place = { port: 1, origin: "http://localhost" };
  const expected = isForged ? ["a forged webhook gets 200"] : [];
  expect(problemsOf(answer, one, place, world)).toEqual(expected);
  expect(problemsOf({ ...answer, status: 401 }, one, place, world)).toEqual([]);
  const refused = isForged ? ["a forged webhook gets 400"] : [];
  expect(problemsOf({ ...answer, status: 400 }, one, place, world)).toEqual(refused);
  const unreadable = { ...one, query: [["q", "a\0b"]] } satisfies Case;
  expect(problemsOf({ ...answer, status: 400 }, unreadable, place, world)).toEqual([]);
  expect(problemsOf(answer, unreadable, place, world)).toEqual(expected);
});

test.each([
  ["is slow by itself", SLOW + 50, () => Promise.resolve(), true],
  ["is quick when it is done again", 1, () => Promise.resolve(), false],
  ["is as slow as all else then", SLOW + 50, () => pause(400), false],
])("a wait, however little work it is, that %s", async (_, wait, trivial, isSlow) => {
  expect(await isSlowAgain(() => pause(wait), trivial)).toBe(isSlow);
});
