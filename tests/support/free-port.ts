import { createServer } from "node:net";

/**
 * A free port of 127.0.0.1, below those that the system assigns, so that it stays free until its program listens, and
 * while that program is down. Each process begins at another port.
 */
export async function freePort(): Promise<number> {
  const port = nextPort++;
  return (await isFree(port)) ? port : freePort();
}
let nextPort = 11_000 + Math.floor(Math.random() * 20_000);

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
