import type { AddressInfo } from "node:net";
import { createServer, connect as dial, type Server, type Socket } from "node:net";

/** What goes wrong between the shop and its database. The names are Toxiproxy's where it has one. */
export type Toxics = {
  /** The upstream cannot be reached: open connections are cut, new ones refused. */
  down: boolean;
  /** The delay of every answer, in ms. */
  latency: number;
  /**
   * The percentage of COMMITs that are carried out, but whose answer never arrives: the connection is reset instead.
   */
  lostCommits: number;
};

export type FaultProxy = {
  port: number;
  toxics: Toxics;
  counts: { lostCommits: number; cut: number };
  /** Holds back everything in both directions without breaking a connection, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Sets the upstream's port for new connections. */
  lead(port: number): void;
  /** Stops listening until `open`: new connections are refused, and open ones are reset. */
  shut(): void;
  open(): Promise<void>;
  /** Resets so many open connections, chosen by `random`. */
  cut(count: number, random: () => number): void;
  close(): Promise<void>;
};

/** A TCP proxy on the loopback address that understands just enough of PostgreSQL's protocol to recognize a COMMIT. */
export async function startFaultProxy(
  upstreamPort: number,
  random: () => number = Math.random,
  ownPort = 0,
): Promise<FaultProxy> {
  let upstream = upstreamPort;
  const toxics: Toxics = { down: false, latency: 0, lostCommits: 0 };
  const counts = { lostCommits: 0, cut: 0 };
  const open = new Set<Socket>();
  const sockets = new Set<Socket>();
  let isFrozen = false;

  const server: Server = createServer((client) => {
    if (toxics.down) return client.resetAndDestroy();
    const database = dial(upstream, "127.0.0.1");
    const end = () => {
      open.delete(client);
      client.destroy();
      database.destroy();
    };
    open.add(client);
    for (const socket of [client, database]) {
      sockets.add(socket.on("error", end).on("close", end).setNoDelay(true));
      socket.on("close", () => sockets.delete(socket));
    }

    let dropped: string | undefined; // the received part of an answer that is to be lost
    const seesCommit = commitSpotter();
    client.on("data", (bytes: Buffer) => {
      if (seesCommit(bytes) && random() * 100 < toxics.lostCommits) dropped ??= "";
      database.write(bytes);
    });
    database.on("data", (bytes) => {
      if (dropped !== undefined) {
        dropped += bytes.toString("latin1");
        if (!/(COMMIT|ROLLBACK)\0/.test(dropped)) return;
        counts.lostCommits++;
        client.resetAndDestroy();
      } else if (toxics.latency) setTimeout(() => client.writable && client.write(bytes), toxics.latency);
      else client.write(bytes);
    });
    if (isFrozen) for (const socket of [client, database]) socket.pause();
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(ownPort);
  const { port } = server.address() as AddressInfo;

  const reset = (sockets: Socket[]) => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port,
    toxics,
    counts,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    lead(port) {
      upstream = port;
    },
    shut() {
      server.close();
      reset([...sockets]);
    },
    open: () => listen(port),
    cut(count, pick) {
      const sockets = [...open];
      const unlucky = Array.from({ length: Math.min(count, sockets.length) }, () =>
        sockets.splice(Math.floor(pick() * sockets.length), 1),
      ).flat();
      counts.cut += unlucky.length;
      reset(unlucky);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        reset([...sockets]);
      }),
  };
}

/**
 * Reads the messages that a client sends: a start-up message without a type, then messages that begin with a type byte
 * and a length. Returns for each piece of data whether a simple query "commit" ended in it.
 */
function commitSpotter(): (bytes: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let seen = false;
    for (;;) {
      const header = started ? 1 : 0;
      if (rest.length < header + 4) return seen;
      const end = header + rest.readInt32BE(header);
      if (rest.length < end) return seen;
      const isQuery = started && rest[0] === "Q".charCodeAt(0);
      if (isQuery && /^commit\b/i.test(rest.toString("utf8", 5, end))) seen = true;
      started = true;
      rest = rest.subarray(end);
    }
  };
}
