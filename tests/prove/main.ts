import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { createDb, createPool, type Db } from "#app/infra/database/db.server.ts";
import { MINUTE, SECOND } from "#app/infra/durations.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { freePort } from "#tests/support/free-port.ts";
import { ownerUrl, runShop, serverFile } from "#tests/support/running-shop.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { shopCommand } from "#tests/support/shop-command.ts";
import { startSandbox } from "../../sandbox/main.ts";
import { readArguments } from "../../scripts/usage.ts";
import { checkPromises, everythingSettled, SETTLED_WITHIN } from "../chaos/books.ts";
import { seeded } from "../chaos/random.ts";
import { countAnswers } from "../machines/answers.ts";
import { type Sale, startBuyer } from "../machines/buyers.ts";
import { untilAnswered } from "../machines/processes.ts";
import { openPage, type Shown } from "./page.ts";

// Buyers want the few units of one product, through the shop's pages and without script, while its processes and its
// database are killed and the payment provider loses, repeats and delays what it says. Everything is counted on a page
// while it happens. Afterwards the shop's books are compared with the provider's, and with what buyers were told.

const BUYERS = 12;
/** Units at the beginning, and so many more each time that new ones arrive. */
const UNITS = 6;
const ARRIVES_EVERY = 15 * SECOND;
/** In turns of a second or so. Limits for each network would stop buyers who all come from this machine. */
const FORGETS_LIMITS_EVERY = 5;
const SAYS_EVERY = 30;
/** In ms: longer than any recovery takes, on a slow machine too. */
const LONGEST_SILENCE = MINUTE;

const { values } = readArguments("prove", {
  options: {
    minutes: { type: "string", default: "5" },
    port: { type: "string", default: "0" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const LASTS = Number(values.minutes) * MINUTE;

type Victim = "a web process" | "the database" | "the whole shop";
const BREAKS: Victim[] = ["a web process", "a web process", "the database", "the whole shop"];

const chances = seeded(Number(values.seed));
const said = (line: string) => process.stdout.write(`${line}\n`);

const page = await openPage(Number(values.port));
const port = await freePort();
const sandbox = await startSandbox({ webhookUrl: `http://localhost:${port}/webhooks/paystack` });
const settings = {
  PORT: String(port),
  WEB_CONCURRENCY: "2",
  PAYSTACK_API_URL: sandbox.url,
  PAYSTACK_CHECKOUT_URL: sandbox.url,
};
const shop = await runShop(settings);
const kills: Record<Victim, number> = { "a web process": 0, "the database": 0, "the whole shop": 0 };
/** In ms: the longest time in which no page was answered. */
let longestSilence = 0;
let ending: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end().then(() => process.exit(130)));

try {
  process.exitCode = (await play()) ? 0 : 1;
} finally {
  await end();
}
process.exit();

/** Returns whether everything agreed at the end. */
async function play(): Promise<boolean> {
  const product = await withBooks((db) => makeProduct(db, { M: UNITS }));
  const wanted = () => ({ id: product, size: "M" });
  const sale: Sale = { shop, sandbox, chances, answers: countAnswers(), promises: [], wanted };
  const buyers = [];
  for (let at = 0; at < BUYERS; at++) buyers.push(await startBuyer(sale, `buyer${at}`));
  said(`seed ${values.seed}: ${BUYERS} buyers, ${values.minutes} minutes. Watch them at ${page.url}`);

  const begunAt = Date.now();
  const over = () => ending !== undefined || Date.now() > begunAt + LASTS;
  const traffic = buyers.map((buyer) => buyer.buy(over));
  const showing = keepShowing(sale, product, begunAt, over);
  await Promise.all([...traffic, keepKilling(over), keepArriving(product, over), showing]);
  if (shop.pid() === 0) await shop.start();
  const isAnswering = () => withBooks((db) => sql`select 1`.execute(db)).catch(() => undefined); // it is recovering
  await untilAnswered(isAnswering, "the database answers after the last kill");
  await withBooks(async (db) => {
    await everythingSettled(db, sandbox);
    await everythingPaidBack(db);
  });
  return compare(sale, product);
}

/** Waits until all refunds are done. Those that would be asked about much later, after a loss, are due at once. */
async function everythingPaidBack(db: Db): Promise<void> {
  const open = db.selectFrom("refunds").select("id").where("state", "!=", "done").limit(1);
  const areDone = async () => {
    await sql`update refunds set next_try_at = now()
      where state in ('open', 'sent') and next_try_at > now() + interval '1 minute'`.execute(db);
    return (await open.executeTakeFirst()) === undefined;
  };
  const within = SETTLED_WITHIN;
  await untilAnswered(areDone, "all refunds are done", { within }).catch(({ message }) => said(message));
}

// What breaks

async function keepKilling(over: () => boolean): Promise<void> {
  while (!over()) {
    await sleep(chances.between(4 * SECOND, 10 * SECOND));
    if (over()) return;
    const victim = BREAKS[Math.floor(chances.between(0, BREAKS.length))] ?? "a web process";
    await kill(victim).catch(({ message }) => said(`${victim}: ${message}`)); // it may just be starting
  }
}

/** Kills one of them, and counts it once that has succeeded. */
async function kill(victim: Victim): Promise<void> {
  if (shop.pid() === 0) return shop.start(); // the start after an earlier kill has failed
  if (victim === "the whole shop") await shop.kill();
  else {
    const pid = victim === "the database" ? Number(serverFile(shop)[0]) : oldestWebProcess();
    if (!(pid > 0)) throw new Error("it is just starting"); // a signal to 0 would end this process and its group
    process.kill(pid, "SIGKILL");
  }
  page.mark(victim);
  kills[victim]++;
  if (victim === "the whole shop") await shop.start();
}

function oldestWebProcess(): number {
  return Number(execFileSync("pgrep", ["-o", "-P", String(shop.pid()), "-f", "scripts/start"], { encoding: "utf8" }));
}

/** New units arrive again and again, as an owner would enter them. */
async function keepArriving(product: string, over: () => boolean): Promise<void> {
  while (!over()) {
    await sleep(ARRIVES_EVERY);
    const more = (db: Db) =>
      db
        .updateTable("productSizes")
        .set({ supplied: sql`supplied + ${UNITS}` })
        .where("productId", "=", product)
        .execute();
    await withBooks(more).catch(() => undefined); // the database is away; the next units arrive later
  }
}

// What is counted

/**
 * Work on the shop's database, wherever it listens now. The name begins otherwise than those of the shop's own
 * processes, whose connections keep the database running when the shop ends.
 */
async function withBooks<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = createDb(createPool({ url: ownerUrl(shop), max: 1, name: "prove" }));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

async function keepShowing(sale: Sale, product: string, begunAt: number, over: () => boolean): Promise<void> {
  let last: Shown | undefined;
  let answered = { pages: 0, at: begunAt };
  for (let turn = 1; !over(); turn++) {
    await sleep(SECOND);
    const { page: pages } = sale.answers.counts;
    if (pages > answered.pages) answered = { pages, at: Date.now() };
    longestSilence = Math.max(longestSilence, Date.now() - answered.at);
    last = (await withBooks((db) => read(db, sale, product)).catch(() => undefined)) ?? last; // the database is away
    if (last) page.show({ ...last, second: Math.round((Date.now() - begunAt) / SECOND) });
    if (turn % FORGETS_LIMITS_EVERY === 0)
      await withBooks((db) => db.deleteFrom("rateLimits").execute()).catch(() => undefined);
    if (turn % SAYS_EVERY === 0 && last) said(lineOf(last));
  }
}

/** The books as they are now: what is promised, sold, paid back, and lost or sold twice. */
async function read(db: Db, sale: Sale, product: string): Promise<Shown> {
  const { rows } = await sql<Record<"sold" | "soldKobo" | "back" | "backKobo" | "oversold", string>>`
    select (select count(*) from sales) as sold, (select coalesce(sum(kobo), 0) from sales) as sold_kobo,
      (select count(*) from refunds) as back, (select coalesce(sum(kobo), 0) from refunds) as back_kobo,
      (select greatest(sold + reserved - supplied, 0) from product_sizes where product_id = ${product}) as oversold`.execute(
    db,
  );
  const [row] = rows;
  const charges = [...sandbox.ledger.transactions.values()].filter(({ paidAt }) => paidAt);
  const promises = [...sale.promises];
  const broken = await checkPromises(db, promises);
  const { page: answered, honest, odd } = sale.answers.counts;
  return {
    second: 0,
    answered,
    again: honest + odd,
    charged: charges.length,
    chargedKobo: charges.reduce((sum, { amount }) => sum + amount, 0),
    promised: promises.filter(({ outcome }) => outcome === "sold").length,
    sold: Number(row?.sold),
    soldKobo: Number(row?.soldKobo),
    back: Number(row?.back),
    backKobo: Number(row?.backKobo),
    lost: broken.length,
    oversold: Number(row?.oversold),
    kills: { ...kills },
    lies: [...sandbox.ledger.transactions.values()].filter(({ faults }) => Object.keys(faults).length > 0).length,
  };
}

/** Compares the books of both sides with each other, and with what buyers were told. Returns whether they agree. */
async function compare(sale: Sale, product: string): Promise<boolean> {
  const end = await withBooks((db) => read(db, sale, product));
  const checked = await shopCommand({ ...settings, DATA_DIR: shop.dataDir }, "check", "--provider");
  const difference = end.chargedKobo - end.soldKobo - end.backKobo;
  const agrees = checked.code === 0 && end.lost === 0 && end.oversold === 0 && difference === 0;
  const isBack = longestSilence < LONGEST_SILENCE;
  const sum = (value: number) => formatKobo(kobo(value)).padStart(16);
  const lines = [
    `The provider has charged   ${String(end.charged).padStart(5)} payments ${sum(end.chargedKobo)}`,
    `The shop has sold          ${String(end.sold).padStart(5)} orders   ${sum(end.soldKobo)}`,
    `and has given back         ${String(end.back).padStart(5)} payments ${sum(end.backKobo)}`,
    `Difference                                ${sum(Math.abs(difference))}`,
    `Promised to buyers and not kept: ${end.lost}. Sold more than there was: ${end.oversold}.`,
    `Longest time without an answer: ${Math.round(longestSilence / SECOND)} s.`,
    `check --provider: ${checked.said}`,
    ...(isBack ? [] : ["The shop was away for too long."]),
    agrees ? "Everything agrees: nothing lost, nothing doubled, nothing oversold." : "NOT everything agrees.",
  ];
  for (const line of ["", lineOf(end), ...lines]) said(line);
  page.show({ ...end, second: LASTS / SECOND, books: lines });
  await sleep(SECOND); // until the page has it
  return agrees && isBack;
}

function lineOf({ charged, promised, sold, back, lost, lies, again }: Shown): string {
  const killed = Object.entries(kills).map(([victim, times]) => `${victim} ${times} times`);
  return [
    `killed: ${killed.join(", ")}`,
    `payments that the provider lied about ${lies}`,
    `presses again ${again}`,
    `charged ${charged}`,
    `promised ${promised}`,
    `sold ${sold}`,
    `paid back ${back}`,
    `lost ${lost}`,
  ].join(" | ");
}

function end(): Promise<void> {
  ending ??= page.close().then(shop.stop).then(sandbox.close);
  return ending;
}
