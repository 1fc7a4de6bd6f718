import { once } from "node:events";
import { request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPatientServer, LIMITS } from "./slow-clients.server.ts";

const LARGE = Buffer.alloc(64 * 1024 * 1024);
const STALLED = 500; // ms
let server: Server;
let port: number;
let asked: string[];
let carriedOut: string[];
const sockets: Socket[] = [];

beforeEach(async () => {
  asked = [];
  carriedOut = [];
  await listen({ headers: 300, request: 600, stalled: STALLED, idle: 2000, heardOut: 500, lookEvery: 50 });
});

async function listen(limits: typeof LIMITS): Promise<void> {
  server = createPatientServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/large") return void response.end(LARGE);
    request.resume().on("end", () => {
      carriedOut.push(request.url ?? "");
      response.end("answered");
    });
  }, limits);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
}

afterEach(close);

function close(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
}

function open(begin = ""): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  sockets.push(socket);
  if (begin) socket.write(begin);
  return socket;
}

/** Sends a word every 20 ms until the connection is closed. */
function trickle(socket: Socket, word: string): void {
  const timer = setInterval(() => socket.writable && socket.write(word), 20);
  socket.on("close", () => clearInterval(timer));
}

/** All that arrives until the connection is closed; a reset may lose the last bytes. */
function toldUntilClosed(socket: Socket): Promise<string> {
  let told = "";
  socket.on("data", (bytes) => {
    told += bytes;
  });
  return new Promise((resolve) => socket.on("close", () => resolve(told)));
}

const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

test("S56 a client with endless headers is disconnected", async () => {
  const socket = open("GET / HTTP/1.1\r\nHost: shop\r\n");
  trickle(socket, "X-More: 1\r\n");
  expect(await toldUntilClosed(socket)).toMatch(/^(HTTP\/1.1 408 |$)/);
  expect(asked).toEqual([]);
});

test("S56 a client with an endless body is disconnected", async () => {
  const socket = open("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 100000\r\n\r\n");
  trickle(socket, "x");
  expect(await toldUntilClosed(socket)).toMatch(/^(HTTP\/1.1 408 |$)/);
});

test("S56 a client that reads nothing of the response is disconnected", async () => {
  const socket = open("GET /large HTTP/1.1\r\nHost: shop\r\n\r\n").pause();
  await once(socket, "connect");
  await expect.poll(() => asked).toEqual(["/large"]);
  await expect.poll(connections).toBe(0);
});

test("a client that reads slowly gets all of a long response", async () => {
  const socket = open("GET /large HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
  let read = 0;
  const began = performance.now();
  for await (const chunk of socket) {
    if (read % (1024 * 1024) < chunk.length) await pause(15);
    read += chunk.length;
  }
  expect(read).toBeGreaterThan(LARGE.length);
  expect(performance.now() - began, "longer than a request may stall").toBeGreaterThan(STALLED);
});

test("S56 500 silent clients delay nobody, and are disconnected", async () => {
  let taken = 0;
  server.on("connection", () => taken++);
  for (let i = 0; i < 500; i++) open();
  await expect.poll(() => taken).toBe(500);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
  expect(await answer.text()).toBe("answered");
  await expect.poll(connections).toBe(0);
});

test("a connection without a request is kept as long as the server says", async () => {
  const { headers } = await fetch(`http://127.0.0.1:${port}/`);
  expect(headers.get("keep-alive")).toBe("timeout=2");
});

test("S56 real limits are far more than a slow phone needs, and far less than forever", () => {
  expect(LIMITS).toEqual({
    headers: 15_000,
    request: 30_000,
    stalled: 30_000,
    idle: 75_000,
    heardOut: 1000,
    lookEvery: 1000,
  });
});

test("a request with too long a URL gets 431, and its connection ends without an error while its body is being sent", async () => {
  const sent = request({ port, path: `/${"x".repeat(20_000)}`, method: "POST" });
  const ended = new Promise<unknown>((resolve) => {
    sent.on("error", resolve);
    sent.on("response", (response) => response.resume().on("close", () => resolve(response.statusCode)));
  });
  sent.write("x".repeat(50_000));
  sent.end();
  expect(await ended).toBe(431);
});

test("the rest of a refused request is read before the connection is closed, or the response would be lost", async () => {
  close();
  await listen({ ...LIMITS, heardOut: LIMITS.stalled });
  const atServer = once(server, "connection");
  const head = `POST /${"x".repeat(20_000)} HTTP/1.1\r\nHost: shop\r\nContent-Length: 100\r\n\r\n`;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  sockets.push(socket);
  socket.write(head);
  const told = toldUntilClosed(socket);
  await once(socket, "data");
  const [connection]: Socket[] = await atServer;
  for (const sent of [50, 100]) {
    socket.write("x".repeat(50));
    await expect.poll(() => connection?.bytesRead).toBe(head.length + sent);
    expect(connection?.destroyed).toBe(false);
  }
  socket.end();
  expect(await told).toMatch(/^HTTP\/1.1 431 /);
});

test("a request that took too long is not executed, although its last bytes arrive after the 408", async () => {
  const socket = open("POST /Cart HTTP/1.1\r\nHost: shop\r\nContent-Length: 1000\r\n\r\n");
  trickle(socket, "x");
  const told = toldUntilClosed(socket);
  await once(socket, "data");
  socket.write("x".repeat(1000));
  expect(await told).toMatch(/^HTTP\/1.1 408 /);
  await expect.poll(connections).toBe(0);
  expect(asked).toEqual(["/Cart"]);
  expect(carriedOut).toEqual([]);
});
