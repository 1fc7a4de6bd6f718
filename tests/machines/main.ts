import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { closeDb, openDb } from "#app/infra/database/db.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { hearsOfTwo, newCustomer } from "#tests/support/http-visitor.ts";
import { errorsOf } from "#tests/support/running-shop.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { shopCommand } from "#tests/support/shop-command.ts";
import type { Sandbox } from "../../sandbox/main.ts";
import { type Broken, chargedReferences, checkBooks, checkPromises, everythingSettled } from "../chaos/books.ts";
import { seeded } from "../chaos/random.ts";
import { countAnswers, type Success } from "./answers.ts";
import { keepForgettingLimits, type Sale, startBuyer } from "./buyers.ts";
import type { DatabaseNode } from "./patroni.ts";
import { statusOf, untilAnswered } from "./processes.ts";
import { missingEngines, startTopology } from "./topology.ts";

// A flash sale on three instances while the machine of the primary database is killed again and again: the standby
// takes over, and the killed one comes back as standby. After each kill the books are compared with the shop's rules,
// with the provider's books, and with what shoppers were told.

/** Limits after a death: until the shop sells again, and until there is a standby again. */
const SELLS_WITHIN = 30 * SECOND;
const STANDBY_WITHIN = 120 * SECOND;
const FEW = 3;
const PLENTY = 100_000;

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    machines: { type: "boolean" },
    kills: { type: "string", default: "20" },
    "no-freezes": { type: "boolean" },
    buyers: { type: "string", default: "8" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [KILLS, BUYERS, SEED] = [values.kills, values.buyers, values.seed].map(Number) as [number, number, number];
const chances = seeded(SEED);
const said = (line: string) => process.stdout.write(`${line}\n`);
const andFreezes = values["no-freezes"] ? "" : " and freezes";
said(`seed ${SEED}: the primary dies ${KILLS} times${andFreezes}, under ${BUYERS} buyers`);

const missing = missingEngines();
if (missing.length > 0) {
  said(
    `Skipped: not installed (Debian: patroni python3-etcd etcd-server postgresql-15 haproxy pgbouncer): ${missing.join(", ")}`,
  );
  process.exit(0);
}

const topology = await startTopology();
const { cluster, sandbox } = topology;
const db = openDb({ url: topology.databaseUrl, max: 5, name: "irepo chaos harness" });
let failed = true;
let over = false;
let ending: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end().then(() => process.exit(130)));

type Death = { name: string; writesAfter: number; sellsAfter: number; standbyAfter: number; broken: Broken[] };

const scarce = await makeProduct(db, { M: FEW });
const plentiful = await makeProduct(db, { M: PLENTY });
let supplied = FEW;
const sale: Sale = {
  shop: topology,
  sandbox,
  chances,
  answers: countAnswers(),
  promises: [],
  wanted: () => ({ id: chances.chance(30) ? scarce : plentiful, size: "M" }),
};
try {
  failed = !(await play());
} finally {
  await end();
}
process.exit(failed ? 1 : 0);

/** Ends everything, but only once: a signal may arrive at any moment. */
function end(): Promise<void> {
  over = true;
  ending ??= closeDb().then(topology.stop);
  return ending;
}

/** Runs the sale. True if everything agrees. */
async function play(): Promise<boolean> {
  const buyers = [];
  for (let at = 0; at < BUYERS; at++) buyers.push(await startBuyer(sale, `buyer${at}`));
  said("open, and everybody has an account");
  const buying = [keepForgettingLimits(db, () => over), ...buyers.map((buyer) => buyer.buy(() => over))];
  const kills: Death[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    await sleep(chances.between(SECOND, 4 * SECOND));
    kills.push(await happens(`kill ${kill}`, dies));
  }
  const freezings: Death[] = [];
  if (!values["no-freezes"])
    freezings.push(
      await happens("a frozen primary", freezes),
      await happens("a frozen standby", freezes, cluster.synchronousStandby),
    );
  over = true;
  await Promise.all(buying);
  await everythingSettled(db, sandbox);
  const atRest = [...(await check(sandbox)), ...(await checkInstances())];
  for (const one of atRest) said(JSON.stringify(one));
  const isLate = [...kills, ...freezings].some(({ sellsAfter }) => sellsAfter > SELLS_WITHIN);
  const isBroken = [...kills, ...freezings].some(({ broken }) => broken.length > 0) || atRest.length > 0;
  const agrees = (await report(kills)) && !isLate && !isBroken;
  said(agrees ? "Everything agrees: no order lost, none doubled, nothing oversold." : "NOT everything agrees.");
  return agrees;
}

/** An incident at a node. The node comes back once the shop sells again, and must become a standby. */
type Incident = (node: DatabaseNode, sellsAgain: () => Promise<unknown>) => Promise<void>;

async function dies(node: DatabaseNode, sellsAgain: () => Promise<unknown>): Promise<void> {
  await node.kill();
  await sellsAgain();
  node.start();
}

/**
 * Freezes a node. A frozen primary still takes itself for the primary when it wakes up, although another node is by
 * then.
 */
async function freezes(node: DatabaseNode, sellsAgain: () => Promise<unknown>): Promise<void> {
  node.freeze();
  await sellsAgain();
  node.thaw();
}

async function happens(name: string, incident: Incident, victim = cluster.primary): Promise<Death> {
  const node = await untilAnswered(victim, "there is a node for it");
  const diedAt = performance.now();
  const after = (what: Success) =>
    untilAnswered(async () => sale.answers.firstAfter(what, diedAt), `${what} after ${name}`).then((at) => at - diedAt);
  const [writesAfter, sellsAfter] = [after("write"), after("order")];
  await incident(node, () => Promise.all([writesAfter, sellsAfter]));
  const { logFile } = node;
  await untilAnswered(cluster.synchronousStandby, `${node.name} follows again`, { within: STANDBY_WITHIN, logFile });
  const death = {
    name,
    writesAfter: await writesAfter,
    sellsAfter: await sellsAfter,
    standbyAfter: performance.now() - diedAt,
    broken: await check(),
  };
  said(row(death));
  for (const one of death.broken) said(JSON.stringify(one));
  await restock();
  return death;
}

/** Adds a few pieces of the product that everybody wants. */
async function restock(): Promise<void> {
  supplied += FEW;
  await sql`update product_sizes set supplied = supplied + ${FEW} where product_id = ${scarce}`.execute(db);
}

/**
 * Checks the books. The provider's books are compared only after the sale: during it, some charges are still on their
 * way to their orders.
 */
async function check(provider?: Sandbox): Promise<Broken[]> {
  return [
    ...(await checkBooks(db, { product: scarce, units: supplied }, provider)),
    ...(await checkPromises(db, sale.promises)),
  ];
}

/** Checks that every instance still writes, and is told of the changes that another one makes. */
async function checkInstances(): Promise<Broken[]> {
  const { url, dataDir, shops } = topology;
  const customer = await newCustomer({ url, dataDir }, "follower@example.com");
  const headers = { cookie: [...customer.cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  const streams = await Promise.all(
    shops.map((shop) => fetch(`${shop.url}/api/live`, { headers, signal: AbortSignal.timeout(10 * SECOND) })),
  );
  const hearing = streams.map((stream) => hearsOfTwo(stream).catch(() => false)); // the stream has timed out
  await customer.post("/Cart", { intent: "add", id: plentiful, size: "M", quantity: "2" });
  const hears = await Promise.all(hearing);
  const writes = await Promise.all(shops.map((shop) => statusOf(`${shop.url}/status`, 10 * SECOND)));
  return shops.flatMap((shop, at) => [
    ...(writes[at] === 200 ? [] : [{ rule: "F16", what: "the instance does not write", where: shop.url }]),
    ...(hears[at] ? [] : [{ rule: "F52", what: "the instance hears of no change", where: shop.url }]),
  ]);
}

/** Prints what was measured. True if shoppers got no odd answers, and the owner's command agrees. */
async function report(kills: Death[]): Promise<boolean> {
  const { counts, odd, slowest } = sale.answers;
  said(`writing again after: ${spread(kills.map(({ writesAfter }) => writesAfter))}`);
  said(`selling again after: ${spread(kills.map(({ sellsAfter }) => sellsAfter))}`);
  said(`a standby again after: ${spread(kills.map(({ standbyAfter }) => standbyAfter))}`);
  said(`charged ${chargedReferences(sandbox).length}, shoppers were told of ${sale.promises.length}`);
  said(`answers: ${counts.page} pages, ${counts.honest} times "try again in a moment", ${counts.odd} others`);
  said(`the slowest took ${inSeconds(slowest.ms)} (${slowest.what})`);
  for (const one of new Set(odd)) said(`  ${one}`);
  for (const line of new Set(topology.shops.flatMap(errorsOf))) said(`  an instance logged: ${line}`);
  const checked = await shopCommand(topology.settings, "check", "--provider");
  said(`check --provider: ${checked.said}`);
  return counts.odd === 0 && checked.code === 0;
}

function inSeconds(ms: number): string {
  return `${(ms / SECOND).toFixed(1)} s`;
}

function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${inSeconds(sorted[Math.floor(sorted.length / 2)] ?? 0)}, most ${inSeconds(sorted.at(-1) ?? 0)}`;
}

function row({ name, writesAfter, sellsAfter, standbyAfter, broken }: Death): string {
  return [
    name.padEnd(16),
    `writes after ${inSeconds(writesAfter)}`,
    `sells after ${inSeconds(sellsAfter)}`,
    `standby after ${inSeconds(standbyAfter)}`,
    `broken rules ${broken.length}`,
  ].join(" | ");
}
