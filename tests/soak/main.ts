import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closeDb, type Db, openDb } from "#app/infra/database/db.server.ts";
import { MINUTE, SECOND } from "#app/infra/durations.ts";
import { ask } from "#tests/support/ask-database.ts";
import { freePort } from "#tests/support/free-port.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { errorsOf, ownerUrl, runShop, serverFile } from "#tests/support/running-shop.ts";
import { shopCommand } from "#tests/support/shop-command.ts";
import { busyness, isMet, keep, print } from "../../bench/figures.ts";
import { type Figure, round } from "../../bench/measure.ts";
import { picturesMade } from "../../bench/shop.ts";
import { startSandbox } from "../../sandbox/main.ts";
import { drawPanels } from "../../scripts/chart.ts";
import { readArguments } from "../../scripts/usage.ts";
import { chargedReferences, checkPromises, everythingSettled } from "../chaos/books.ts";
import { seeded } from "../chaos/random.ts";
import { countAnswers } from "../machines/answers.ts";
import { keepForgettingLimits, type Sale, startBuyer } from "../machines/buyers.ts";
import { statusOf, untilAnswered } from "../machines/processes.ts";
import { IDLE, SAMPLED_EVERY, type Sample } from "./probe.ts";
import { type Answered, figuresOf, isComparable, panelsOf, readSamples } from "./samples.ts";
import { importProducts, keepOfficeOpen, lookAround, openTabs, signInAt } from "./traffic.ts";

// An hour of a shop with two web processes: guests, buyers, open tabs and the office, while products are imported, a
// backup is made, a web process is replaced and the database is killed. The payment sandbox runs in this process, so
// that its memory does not count as the shop's.

const GUESTS = 3;
const BUYERS = 4;
const TABS = 6;
/** The processes at the end: two web processes, their parent process, the office. */
const PROCESSES = 4;
const IMPORTED = 500;
const PLENTY = 1_000_000;

const { values } = readArguments("soak", {
  options: {
    minutes: { type: "string", default: "60" },
    out: { type: "string", default: path.join(tmpdir(), "irepo-soak.svg") },
    record: { type: "boolean", default: false },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const LASTS = Number(values.minutes) * MINUTE;
/**
 * The age at which a process is first measured, to be compared with itself later, and the span of the measurement. Both
 * are shorter in short runs.
 */
const WARM = Math.min(5 * MINUTE, LASTS / 3);
const OVER = WARM / 5;

const said = (line: string) => process.stdout.write(`${line}\n`);
const chances = seeded(Number(values.seed));
const folder = mkdtempSync(path.join(tmpdir(), "irepo-soak-"));
const on = busyness();
const [port, officePort] = [await freePort(), await freePort()];
const office = `http://localhost:${officePort}`;
const sandbox = await startSandbox({ webhookUrl: `http://localhost:${port}/webhooks/paystack` });
/** Without keys the shop is a demo, to whose office one press signs in. */
const settings = {
  PORT: String(port),
  OFFICE_PORT: String(officePort),
  WEB_CONCURRENCY: "2",
  PAYSTACK_API_URL: sandbox.url,
  PAYSTACK_CHECKOUT_URL: sandbox.url,
};
const PROBE = "./tests/soak/probe.ts";
const probing = { SOAK_FOLDER: folder, SOAK_WARM: String(WARM) };
const shop = await runShop({ ...settings, ...probing, NODE_OPTIONS: `--import ${PROBE}` });
let db: Db;
let idle: ChildProcess | undefined;
const command = (...words: string[]) => shopCommand({ ...settings, DATA_DIR: shop.dataDir }, ...words);
const marks: { at: number; name: string }[] = [];
let over = false;
let ending: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end().then(() => process.exit(130)));

const answered: Answered[] = [];
const sale: Sale = { shop, sandbox, chances, answers: countAnswers(), promises: [], wanted };
let products: string[] = [];
try {
  await begin();
  const figures = await play();
  print("soak", figures);
  for (const one of new Set(sale.answers.odd)) said(`  ${one}`);
  for (const line of new Set(errorsOf(shop))) said(`  logged: ${line}`);
  keep({ soak: { on, figures } }, values.record);
  process.exitCode = figures.every(isMet) ? 0 : 1;
} finally {
  await end();
}
process.exit();

/** Ends everything, but only once, even if a signal arrives meanwhile. */
function end(): Promise<void> {
  over = true;
  idle?.kill();
  ending ??= closeDb()
    .then(shop.stop)
    .then(sandbox.close)
    .then(() => rmSync(folder, { recursive: true }));
  return ending;
}

function wanted(): { id: string; size: string } {
  return { id: products[Math.floor(chances.between(0, products.length))] ?? "", size: "M" };
}

/** Restarts the shop when its demo is complete, since a first start does more than later ones. */
async function begin(): Promise<void> {
  await picturesMade(async (text) => ({ rows: await ask(ownerUrl(shop), text) }));
  await shop.restart();
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
  await untilAnswered(async () => (await statusOf(`${office}/healthz`)) === 200, "the office is open");
  idle = spawn(process.execPath, [PROBE], { env: { ...process.env, ...probing }, stdio: "inherit" });
  db = openDb({ url: ownerUrl(shop), max: 3, name: "soak" });
}

async function play(): Promise<Figure[]> {
  const isOver = () => over;
  const forgetting = keepForgettingLimits(db, isOver);
  products = (await db.selectFrom("productSizes").select("productId").where("size", "=", "M").execute()).map(
    ({ productId }) => productId,
  );
  await db.updateTable("productSizes").set({ supplied: PLENTY }).execute();
  const owner = await signInAt(office);
  const buyers = [];
  for (let at = 0; at < BUYERS; at++) buyers.push(await startBuyer(sale, `buyer${at}`));
  const followers = [];
  for (let at = 0; at < TABS; at++) followers.push(await newCustomer(shop, `follower${at}@example.com`));

  const from = Date.now();
  said(`seed ${values.seed}: ${values.minutes} minutes`);
  const traffic = [
    ...Array.from({ length: GUESTS }, () => lookAround(sale, isOver)),
    ...buyers.map((buyer) => buyer.buy(isOver)),
    keepOfficeOpen(sale, owner, isOver),
  ];
  const counting = setInterval(
    () => answered.push({ at: Date.now(), counts: { ...sale.answers.counts } }),
    SAMPLED_EVERY,
  );
  const tabs = followers.map((visitor) => openTabs(sale, visitor, isOver));
  const until = (part: number) => sleep(from + part * LASTS - Date.now());
  const happens = async (name: string, what: () => Promise<unknown>) => {
    marks.push({ at: Date.now() / 1000, name });
    const begun = performance.now();
    await what();
    said(`${name}: ${((performance.now() - begun) / SECOND).toFixed(1)} s`);
  };
  await until(0.03); // before the first measurement: a larger catalogue is no leak
  await happens("products imported", () => importProducts(owner, office, IMPORTED));
  await until(0.25);
  await happens("backup made", backUp);
  await until(0.35);
  await happens("web process renewed", renewWebProcess);
  await until(0.5);
  await happens("database killed, selling again", killDatabase);
  await until(1);
  const { counts } = sale.answers;
  const seconds = (Date.now() - from) / SECOND;
  const asked = counts.page + counts.honest + counts.odd;
  for (const [, samples] of readSamples(folder)) collectIn(samples);
  await sleep(SECOND);
  const to = Date.now();
  clearInterval(counting);
  over = true;
  await Promise.all([...traffic, forgetting]);
  const streams = (await Promise.all(tabs)).reduce((sum, count) => sum + count, 0);
  await everythingSettled(db, sandbox);
  const broken = await checkPromises(db, sale.promises);
  for (const one of broken) said(JSON.stringify(one));
  const checked = await command("check", "--provider");
  said(`check --provider: ${checked.said}`);

  const samples = readSamples(folder, to);
  const compared = [...samples].filter(([name, some]) => name !== IDLE && isComparable(some));
  const span = { from: from / 1000, to: to / 1000, scrape: SAMPLED_EVERY / SECOND, marks };
  writeFileSync(values.out, drawPanels(panelsOf(samples, answered), span));
  said(values.out);
  return [
    { name: "minutes", value: Number(values.minutes), unit: "" },
    { name: "requests", value: round(asked / seconds, 1), unit: "/s" },
    { name: "payments charged", value: chargedReferences(sandbox).length, unit: "" },
    { name: "streams opened", value: streams, unit: "" },
    { name: "told to try again", value: counts.honest, unit: "" },
    { name: "other 5xx, or no answer", value: counts.odd, unit: "", bar: { max: 0 } },
    { name: "promises to shoppers not kept", value: broken.length, unit: "", bar: { max: 0 } },
    {
      name: "books agree with the provider's",
      value: Number(checked.code === 0),
      unit: "",
      bar: { min: 1 },
    },
    { name: "processes compared", value: compared.length, unit: "", bar: { min: PROCESSES } },
    ...[...samples].flatMap(([name, some]) => figuresOf(name, some, OVER)),
  ];
}

// Incidents

async function backUp(): Promise<void> {
  const file = path.join(folder, "shop.backup");
  const backup = await command("backup", file);
  if (backup.code !== 0) throw new Error(`There is no backup: ${backup.said}`);
}

/** Ends the oldest web process, as an owner would who wants a fresh one. The shop's first process replaces it. */
async function renewWebProcess(): Promise<void> {
  const [oldest] = readSamples(folder).get("web 1") ?? [];
  if (!oldest) throw new Error("There is no first web process");
  process.kill(oldest.pid, "SIGTERM");
  await untilAnswered(async () => readSamples(folder).has("web 3"), "there is another web process");
}

/** Kills the database, as in a power cut. The shop restarts it by itself. */
async function killDatabase(): Promise<void> {
  const at = performance.now();
  process.kill(Number(serverFile(shop)[0]), "SIGKILL");
  await untilAnswered(async () => sale.answers.firstAfter("order", at), "an order");
}

/** Makes a process collect its garbage and write down the heap in use, unless the process has ended. */
function collectIn(samples: Sample[]): void {
  const last = samples.at(-1);
  if (last && Date.now() - last.at < 3 * SAMPLED_EVERY) process.kill(last.pid, "SIGUSR2");
}
