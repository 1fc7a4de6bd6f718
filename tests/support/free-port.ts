import { createServer } from "node:net";

/**
 * A port of 127.0.0.1 that nobody listens on, below those that the system assigns: it stays free while whoever is to listen there starts, or is down.
 * Each process begins somewhere else.
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
