import { createServer as createHttpServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { type FaultProxy, startFaultProxy } from "#tests/chaos/fault-proxy.ts";
import { freePort } from "#tests/support/free-port.ts";

/** A proxy between the shop and one of its dependencies, which can be made to fail. */
export type Door = {
  port: number;
  /** Refuses connections. */
  refuse(): void;
  /** Answers nothing, and breaks no connection. */
  swallow(): void;
  /** Delays each answer by so many milliseconds. */
  delay(ms: number): void;
  /** Gives false answers. */
  lie(lie: Lie): Promise<void>;
  heal(): Promise<void>;
  close(): Promise<void>;
};

type Truth = { method: string; path: string; status: number; headers: IncomingHttpHeaders; body: Buffer };
type Answer = { status?: number; type?: string; headers?: IncomingHttpHeaders; body: string | Buffer };
/**
 * A false answer. `http` makes it of the true answer, after the dependency has acted on the request; "endless" means
 * status 200 and a body without an end. A `text` is sent to every client, whatever it requests, and with `endless`
 * again and again.
 */
export type Lie = { http: (truth: Truth) => Answer | "endless" } | { text: string; endless?: boolean; waits?: boolean };

export async function openDoor(upstream: number): Promise<Door> {
  const proxy: FaultProxy = await startFaultProxy(upstream, Math.random, await freePort());
  const liars: Server[] = [];
  const cut = () => proxy.cut(10_000, Math.random);
  let isShut = false;

  async function lead(server: Server): Promise<void> {
    liars.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    proxy.lead((server.address() as AddressInfo).port);
    cut();
  }
  return {
    port: proxy.port,
    refuse() {
      isShut = true;
      proxy.shut();
    },
    swallow: proxy.freeze,
    delay(ms) {
      proxy.toxics.latency = ms;
    },
    lie: (lie) => lead("http" in lie ? httpLiar(upstream, lie.http) : textLiar(lie)),
    async heal() {
      proxy.lead(upstream);
      proxy.thaw();
      if (proxy.toxics.latency > 0 || liars.length > 0) cut(); // late answers would mix with others
      proxy.toxics.latency = 0;
      if (isShut) await proxy.open();
      isShut = false;
      for (const liar of liars.splice(0)) liar.close();
    },
    close: proxy.close,
  };
}

function httpLiar(upstream: number, lie: (truth: Truth) => Answer | "endless"): Server {
  const server = createHttpServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const truth = await answerOf(upstream, { method, path: url, headers }, await buffer(request));
    const said = lie({ ...truth, method, path: url });
    if (said !== "endless") {
      const { status = 200, type = "application/json", body } = said;
      return void response.writeHead(status, { "content-type": type, ...said.headers }).end(body);
    }
    response.writeHead(200, { "content-type": "application/json" });
    const part = Buffer.alloc(64 * 1024, " ");
    const go = () => {
      while (!response.destroyed && response.write(part));
    };
    response.on("drain", go).on("error", () => undefined);
    go();
  });
  return server.on("close", () => server.closeAllConnections());
}

function answerOf(
  port: number,
  { method, path, headers }: { method: string; path: string; headers: IncomingHttpHeaders },
  body: Buffer,
): Promise<Pick<Truth, "status" | "headers" | "body">> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }),
    )
      .on("error", reject)
      .end(body);
  });
}

/** `waits`: the text is sent only after the client has sent something. */
function textLiar({ text, endless, waits }: { text: string; endless?: boolean; waits?: boolean }): Server {
  return createServer((socket: Socket) => {
    socket.on("error", () => undefined);
    const say = () => {
      if (!endless) return void socket.end(text);
      const go = () => {
        while (!socket.destroyed && socket.write(text));
      };
      socket.on("drain", go);
      go();
    };
    if (waits) socket.once("data", say);
    else say();
    socket.resume();
  });
}

/** Starts an HTTP service of the test's own, which gives everybody the same answer. */
export async function startService(answer: string): Promise<{ port: number; close(): void }> {
  const server = createHttpServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(answer),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
