import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { openListener, publish, subscribe } from "./listener.server.ts";

const database = useDatabase();

/** A proxy in front of the database; while it is cut, no connection gets through. */
let server: Server;
let isCut = false;
let asked: number[] = [];
const open = new Set<Socket>();

beforeAll(async () => {
  const { hostname, port } = new URL(database.url());
  server = createServer((from) => {
    asked.push(performance.now());
    if (isCut) return from.destroy();
    const to = connect(Number(port), hostname);
    from.pipe(to).pipe(from);
    for (const [one, other] of [[from, to] as const, [to, from] as const]) {
      open.add(one);
      one.on("error", () => undefined).on("close", () => open.delete(one) && other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

async function connections(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where application_name = 'irepo live' and datname = current_database()`.execute(
    database.db(),
  );
  return rows.length;
}

test("a listener that has lost the database tries to reconnect once a second, and then has one connection", async () => {
  const way = new URL(database.url());
  way.port = String((server.address() as AddressInfo).port);
  const close = await openListener(way.href);
  let heard = 0;
  subscribe("stock", () => heard++);
  await publish(database.db(), "stock");
  await expect.poll(() => heard).toBe(1);

  asked = [];
  isCut = true;
  for (const socket of open) socket.destroy();
  await expect.poll(() => asked.length).toBeGreaterThan(4);
  // On a busy machine one try may arrive late and the next one sooner after it: only the average counts.
  const [first = 0, ...later] = asked;
  expect(((later.at(-1) ?? 0) - first) / later.length).toBeGreaterThan(900);

  isCut = false;
  await expect.poll(() => heard).toBe(2); // something may have been missed
  expect(await connections()).toBe(1);
  await publish(database.db(), "stock");
  await expect.poll(() => heard).toBe(3);
  await close();
  await expect.poll(connections).toBe(0);
});
