import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { build } from "vite";
import { closeDb, type Db, openDb } from "#app/infra/database/db.server.ts";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import type { NotStarted, OpenedPayment, Settlement } from "#app/payments/outcomes.ts";
import { seedShipping } from "#app/shipping/rates.server.ts";
import { freePort } from "#tests/support/free-port.ts";
import { startSandbox } from "../../sandbox/main.ts";
import { readArguments } from "../../scripts/usage.ts";
import { makeOffer } from "../support/offers.ts";
import { makeProduct, putInCart } from "../support/shop.ts";
import {
  type Broken,
  chargedReferences,
  checkBooks,
  checkPrices,
  checkPromises,
  everythingSettled,
  type OnOffer,
  type Promised,
  SETTLED_WITHIN,
  someFaults,
} from "./books.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { seeded } from "./random.ts";

// A flash sale while everything breaks: many buyers want a few units, two of the shop's processes are killed again and
// again, the database is stopped hard, connections are cut, answers to COMMIT are lost, webhooks are late, doubled or
// lost. For a part of each round the pieces have a sale price, and all buyers have typed a code whose last use one of
// them can have. Afterwards the shop's books are compared with its own rules and with the provider's books.

const { values } = readArguments("chaos", {
  args: process.argv.slice(2),
  options: {
    rounds: { type: "string", default: "10" },
    buyers: { type: "string", default: "200" },
    units: { type: "string", default: "5" },
    stops: { type: "string", default: "5" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [ROUNDS, BUYERS, UNITS, STOPS, SEED] = [
  values.rounds,
  values.buyers,
  values.units,
  values.stops,
  values.seed,
].map(Number) as [number, number, number, number, number];

const chances = seeded(SEED);
const { random, between, chance } = chances;

const folder = mkdtempSync(path.join(tmpdir(), "irepo-chaos-"));
chmodSync(folder, 0o755); // as root, another user runs PostgreSQL
let postgres = await startPostgres(folder);
const proxy = await startFaultProxy(portOf(postgres.url), random);
let shopUrl = "";
const SECRET_KEY = "sk_test_chaos";
const BUILT = "data/chaos"; // in the checkout, where its packages are found, but outside of build/
const processes: ShopProcess[] = [];
/** The number of open processes that ended without being killed. A lost connection must not end a process. */
let ownDeaths = 0;
const balancer = await startBalancer();
const sandbox = await startSandbox({
  secretKey: SECRET_KEY,
  webhookUrl: `${balancer.url}/webhooks/paystack`,
  webhookDelayMs: 100,
});

let db = await openShopDb();
const said = (line: string) => process.stdout.write(`${line}\n`);
said(`seed ${SEED}: ${ROUNDS} rounds, ${BUYERS} buyers for ${UNITS} units, the database stopped hard ${STOPS} times`);
let failed = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end().then(() => process.exit(130)));
try {
  await buildProcesses();
  shopUrl = prepareDatabase().replace(/:\d+\//, `:${proxy.port}/`);
  await seedShipping(db);
  const buyers = await makeBuyers();
  for (let i = 0; i < 2; i++) processes.push(newShopProcess());
  const table: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const stops = Math.floor((round * STOPS) / ROUNDS) - Math.floor(((round - 1) * STOPS) / ROUNDS);
    const told = await playRound(round, buyers, stops);
    table.push(told);
    said(row(told));
    for (const broken of told.broken) said(JSON.stringify(broken));
  }
  failed = table.some(({ broken, settledAfter }) => broken.length > 0 || settledAfter > SETTLED_WITHIN);
  said(row(total(table)));
  said(
    failed ? "NOT everything agrees." : "Everything agrees: nothing oversold, nothing paid but lost, nothing doubled.",
  );
} finally {
  await end();
}
process.exit(failed ? 1 : 0);

async function end(): Promise<void> {
  for (const one of processes) one.end();
  await sandbox.close();
  await balancer.close();
  await closeDb();
  await proxy.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Round = {
  name: string;
  charged: number;
  sold: number;
  givenBack: number;
  /** Orders at the sale price, and with the use of the offer. */
  onSale: number;
  withOffer: number;
  kills: number;
  stops: number;
  lostCommits: number;
  cut: number;
  settledAfter: number;
  broken: Broken[];
};

async function playRound(round: number, buyers: string[], stops: number): Promise<Round> {
  const before = { kills: killCount(), ...proxy.counts, charged: chargedReferences(sandbox).length };
  const product = await makeProduct(db, { M: UNITS });
  await db.deleteFrom("cartLines").execute();
  for (const buyer of buyers) await putInCart(db, buyer, product, "M");
  const onOffer = await offer(product, `ROUND${round}`);

  let over = false;
  const killers = processes.map((one) => keepKilling(one, () => over));
  const breaker = keepBreaking(() => over);
  proxy.toxics.lostCommits = 3;
  const stopping = stopDatabase(stops);
  const promises = await Promise.all(buyers.map((buyer) => buy(buyer)));
  await stopping;
  over = true;
  await Promise.all([...killers, breaker]);
  proxy.toxics.lostCommits = 0;

  const lastFault = performance.now();
  await everythingSettled(db, sandbox);
  const settledAfter = performance.now() - lastFault;
  const prices = await checkPrices(db, onOffer);
  const broken = [
    ...(await checkBooks(db, { product, units: UNITS }, sandbox)),
    ...prices.broken,
    ...(await checkPromises(db, promises.flat())),
  ];
  if (ownDeaths > 0) broken.push({ rule: "F16", what: "the shop ended by itself", where: `${ownDeaths} times` });
  const charged = chargedReferences(sandbox).length - before.charged;
  const sales = await db.selectFrom("saleLines").select("saleId").where("productId", "=", product).execute();
  return {
    name: String(round),
    charged,
    sold: sales.length,
    givenBack: charged - sales.length,
    onSale: prices.onSale,
    withOffer: prices.withOffer,
    kills: killCount() - before.kills,
    stops,
    lostCommits: proxy.counts.lostCommits - before.lostCommits,
    cut: proxy.counts.cut - before.cut,
    settledAfter,
    broken,
  };
}

/**
 * Puts a product on sale from within the first second, in which a crowd reserves all its units, until the next one. Also
 * makes an offer whose code, with one use left, is in all carts. No worker runs: the prices are those of the plan.
 */
async function offer(product: string, code: string): Promise<OnOffer> {
  await sql`
    insert into sale_prices (plan_id, product_id, percent, starts_at, ends_at)
    values (gen_random_uuid(), ${product}, 20, now() + interval '150 ms', now() + interval '1500 ms')`.execute(db);
  const [percent, uses] = [10, 1];
  const terms = { gift: { kind: "percent", percent } as const, onSaleToo: true };
  const id = await makeOffer(db, terms, { mostUses: uses, code });
  await sql`update carts set code = ${code}, version = version + 1`.execute(db);
  return { product, offer: id, percent, uses };
}

// Buyers

async function makeBuyers(): Promise<string[]> {
  const ids = Array.from({ length: BUYERS }, () => randomUUID());
  await db
    .insertInto("users")
    .values(ids.map((id) => ({ id, email: `${id}@example.com`, emailVerified: true })))
    .execute();
  await db
    .insertInto("carts")
    .values(ids.map((userId) => ({ userId })))
    .execute();
  return ids;
}

/**
 * Presses Pay until there is an answer. Some buyers pay, some leave, some never come back. Returns what the shop
 * promised.
 */
async function buy(buyer: string): Promise<Promised[]> {
  await sleep(between(0, 4 * SECOND));
  for (let visit = 0; visit < 2; visit++) {
    const opened = await insist<OpenedPayment | NotStarted>(`/pay?user=${buyer}`);
    if (opened?.ok) return pay(buyer, opened.reference);
    await sleep(between(SECOND, 3 * SECOND)); // sold out for now; another buyer may leave
  }
  return [];
}

async function pay(buyer: string, reference: string): Promise<Promised[]> {
  const transaction = sandbox.ledger.transactions.get(reference);
  if (!transaction) return [];
  transaction.faults = someFaults(chances);
  await sleep(between(0, SECOND));
  if (chance(20)) {
    await insist(`/close?user=${buyer}&reference=${reference}`);
    if (chance(50)) return []; // half of those who closed the window pay in another one
  }
  await fetch(`${sandbox.url}/__sandbox/pay`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ reference, outcome: chance(10) ? "decline" : "success" }),
  });
  if (chance(30)) return []; // never returns to the shop
  const settled = await insist<Settlement>(`/return?user=${buyer}&reference=${reference}`);
  return settled ? [{ reference, outcome: settled.outcome }] : [];
}

/** Repeats a request until there is an answer, as a shopper does who presses again when the page does not come. */
async function insist<T>(path: string): Promise<T | undefined> {
  for (let tries = 0; tries < 40; tries++) {
    const answer = await fetch(balancer.url + path, { signal: AbortSignal.timeout(15 * SECOND) }).catch(
      () => undefined,
    );
    if (answer?.status === 200) return (await answer.json().catch(() => undefined)) as T;
    await sleep(between(100, 600));
  }
  return undefined;
}

// What breaks

type ShopProcess = { port(): number; kills(): number; opened(): Promise<void>; kill(): void; end(): void };

/** A process of the shop that is restarted whenever it has ended. */
function newShopProcess(): ShopProcess {
  let child: ChildProcess | undefined;
  let port = 0;
  let kills = 0;
  let ended = false;
  let opened: Promise<void> = new Promise(() => undefined);
  async function launch(): Promise<void> {
    if (ended) return;
    port = await freePort();
    child = spawn(process.execPath, [`${BUILT}/shop-process.js`], {
      stdio: ["ignore", "pipe", "ignore", "ipc"],
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: path.join(folder, "compiled"),
        PORT: String(port),
        DATABASE_URL: shopUrl,
        DATA_DIR: folder,
        LOG_LEVEL: "silent",
        SESSION_SECRET: "x".repeat(32),
        PAYSTACK_SECRET_KEY: SECRET_KEY,
        PAYSTACK_PUBLIC_KEY: "pk_test_chaos",
        PAYSTACK_API_URL: sandbox.url,
      },
    });
    const launched = child;
    let isOpen = false;
    opened = new Promise((resolve) => {
      launched.stdout?.once("data", () => {
        isOpen = true;
        resolve();
      });
    });
    launched.once("exit", (_, signal) => {
      // A process that cannot start without its database ends, and is restarted.
      if (isOpen && signal !== "SIGKILL") ownDeaths++;
      void sleep(100).then(launch);
    });
  }
  void launch();
  return {
    port: () => port,
    kills: () => kills,
    opened: () => opened,
    kill() {
      kills++;
      child?.kill("SIGKILL");
    },
    end() {
      ended = true;
      child?.kill("SIGKILL");
    },
  };
}

function killCount(): number {
  return processes.reduce((sum, one) => sum + one.kills(), 0);
}

/** Kills a process again and again, 0.2 to 1.5 s after it has opened. */
async function keepKilling(one: ShopProcess, over: () => boolean): Promise<void> {
  while (!over()) {
    await Promise.race([one.opened(), sleep(10 * SECOND)]);
    await sleep(between(0.2 * SECOND, 1.5 * SECOND));
    if (!over()) one.kill();
    await sleep(200);
  }
  await one.opened();
}

async function keepBreaking(over: () => boolean): Promise<void> {
  while (!over()) {
    await sleep(between(SECOND, 3 * SECOND));
    proxy.toxics.latency = chance(20) ? 50 : 0;
    proxy.cut(2, random);
  }
  proxy.toxics.latency = 0;
}

/** Stops the database as a power cut would, without a checkpoint: what was committed has to be in the log. */
async function stopDatabase(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await sleep(between(3 * SECOND, 6 * SECOND));
    const pid = Number(readFileSync(path.join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    process.kill(pid, "SIGQUIT");
    while (existsSync(`/proc/${pid}`)) await sleep(20);
    await sleep(between(200, 1000));
    postgres = await startPostgres(folder);
    proxy.lead(portOf(postgres.url));
    await closeDb();
    db = await openShopDb();
  }
}

async function openShopDb(): Promise<Db> {
  return openDb({ url: postgres.url, max: 10, name: "irepo chaos harness" });
}

/** A balancer that passes the requests to the processes in turn. */
async function startBalancer(): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const server: Server = createServer((request, response) => {
    const port = processes[turn++ % processes.length]?.port();
    const onward = httpRequest({
      port,
      host: "127.0.0.1",
      path: request.url,
      method: request.method,
      headers: request.headers,
    });
    const fail = () => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    };
    onward.on("error", fail).on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", fail).pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// Helpers

/** Builds the program of the processes: a built one restarts sooner after a kill. */
async function buildProcesses(): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    build: {
      ssr: true,
      outDir: BUILT,
      emptyOutDir: true,
      rollupOptions: { input: ["tests/chaos/shop-process.ts", "tests/chaos/prepare.ts"] },
    },
  });
}

/**
 * Prepares the database in a built program, since the build holds the migrations. Returns the address for the shop's
 * own role.
 */
function prepareDatabase(): string {
  const env = { PATH: process.env.PATH, DATABASE_URL: postgres.url, DATA_DIR: folder };
  return execFileSync(process.execPath, [`${BUILT}/prepare.js`], { env, encoding: "utf8" });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function total(table: Round[]): Round {
  const sum = (key: Exclude<keyof Round, "name" | "settledAfter" | "broken">) =>
    table.reduce((all, one) => all + one[key], 0);
  return {
    name: "all",
    charged: sum("charged"),
    sold: sum("sold"),
    givenBack: sum("givenBack"),
    onSale: sum("onSale"),
    withOffer: sum("withOffer"),
    kills: sum("kills"),
    stops: sum("stops"),
    lostCommits: sum("lostCommits"),
    cut: sum("cut"),
    settledAfter: Math.max(...table.map(({ settledAfter }) => settledAfter)),
    broken: table.flatMap(({ broken }) => broken),
  };
}

function row(round: Round): string {
  const { name, charged, sold, givenBack, onSale, withOffer, kills, stops, lostCommits, cut, settledAfter, broken } =
    round;
  const cells = [
    `round ${name.padStart(3)}`,
    `charged ${charged}`,
    `sold ${sold}`,
    `given back ${givenBack}`,
    `orders at the sale price ${onSale}`,
    `with the code ${withOffer}`,
    `kills ${kills}`,
    `database stops ${stops}`,
    `lost COMMIT answers ${lostCommits}`,
    `cut connections ${cut}`,
    `settled after ${(settledAfter / SECOND).toFixed(1)} s`,
    `broken rules ${broken.length}`,
  ];
  return cells.join(" | ");
}
