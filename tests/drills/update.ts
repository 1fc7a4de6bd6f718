import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ask } from "#tests/support/ask-database.ts";
import { newVisitor, PASSWORD } from "#tests/support/http-visitor.ts";
import { newDataDir, ownerUrl, type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { commandIn, shopCommand } from "#tests/support/shop-command.ts";
import { buy, type LivedIn, liveIn } from "#tests/updates/lived-in.ts";
import type { Drill } from "./drill.ts";

// Builds older versions from git, lets them sell, and updates them by `npm start` alone. Then migrates every schema
// that the first migration has ever made.

const OLD_VERSIONS = ["0fa75758", "498070bb", "b74ccc2a"];
/** The previous version, which must work on the updated database. */
const VERSION_BEFORE = "b74ccc2a";
const FIRST = "db/migrations/0001-schema.sql";
const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8", maxBuffer: 1e8 }).trim();

export async function playUpdate(drill: Drill): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-update-"));
  drill.afterwards(() => rmSync(folder, { recursive: true, force: true }));
  for (const version of OLD_VERSIONS) await playVersion(drill, version, path.join(folder, version));
  await playStates(drill);
}

async function playVersion({ step, goal, afterwards }: Drill, version: string, checkout: string): Promise<void> {
  afterwards(() => void execFileSync("git", ["worktree", "remove", "--force", checkout]));
  await step(`${version} is built from git`, async () => {
    git("worktree", "add", "--detach", checkout, version);
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: checkout, stdio: "inherit" });
    const build = "import('./scripts/build.ts').then((build) => build.buildIfChanged())";
    execFileSync(process.execPath, ["-e", build], { cwd: checkout });
  });
  const DATA_DIR = newDataDir();
  afterwards(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  const old = await runShop({ DATA_DIR }, checkout);
  const lived = await step("it sells", () => liveIn(old, checkout, { DATA_DIR }));
  await end(old);
  const shop = await step("npm start, with this version", () => runShop({ DATA_DIR }));
  const { code, said } = await shopCommand({ DATA_DIR, LOG_LEVEL: "silent" }, "check");
  goal(`check agrees after the update from ${version}`, code === 0, said.split("\n")[0]);
  goal("whoever was registered signs in, sees the orders, and buys", await sells(shop, lived));
  await end(shop);
  if (version !== VERSION_BEFORE) return;
  const before = await step("the version before, on the updated database", () => runShop({ DATA_DIR }, checkout));
  goal(`${version} sells on the updated database`, await sells(before, lived));
  const checked = await commandIn(checkout, { DATA_DIR, LOG_LEVEL: "silent" }, ["check"]);
  goal(`check of ${version} agrees there`, checked.code === 0, checked.said.split("\n")[0]);
  await end(before);
}

async function sells(shop: RunningShop, { email, sold, sent, refunded }: LivedIn): Promise<boolean> {
  const shopper = newVisitor(shop.url);
  const login = await shopper.post("/login", { email, password: PASSWORD });
  const orders = [sold, sent, refunded].map(async (reference) => (await shopper.get(`/order/${reference}`)).status);
  const bought = await buy(shopper);
  return login.status === 303 && (await Promise.all(orders)).every((status) => status === 200) && bought !== "";
}

/** Stops the shop and keeps its folder. */
async function end(shop: RunningShop): Promise<void> {
  const ended = shop.ended();
  process.kill(shop.pid(), "SIGTERM");
  await ended;
}

/** Tries each version of the first migration that is in git, with the rows of a customer's purchases. */
async function playStates({ step, goal, afterwards }: Drill): Promise<void> {
  const texts = new Set(
    git("log", "--format=%H", "--diff-filter=d", "--", FIRST)
      .split("\n")
      .map((commit) => git("rev-parse", `${commit}:${FIRST}`)),
  );
  const shop = await runShop();
  afterwards(shop.stop);
  const wrong: string[] = [];
  await step(`${texts.size} schemas of 22 to 24 November are updated`, async () => {
    for (const text of texts) if (!(await isUpdated(ownerUrl(shop), text))) wrong.push(text.slice(0, 8));
  });
  goal("each becomes this version's, and check agrees", wrong.length === 0, wrong.join(", "));
}

const MIGRATED = `
  create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
  insert into kysely_migration_lock values ('migration_lock', 0);
  insert into kysely_migration values ('0001-schema', '2026-11-22T00:00:00.000Z')`;

async function isUpdated(server: string, text: string): Promise<boolean> {
  const name = `state_${text.slice(0, 8)}`;
  const DATABASE_URL = server.replace(/\/irepo$/, `/${name}`);
  await ask(server, `create database ${name}`);
  await ask(DATABASE_URL, git("cat-file", "-p", text));
  await ask(DATABASE_URL, readFileSync("tests/updates/rows-of-old-schemas.sql", "utf8"));
  await ask(DATABASE_URL, MIGRATED);
  const settings = { DATABASE_URL, LOG_LEVEL: "silent" };
  const ends = [await shopCommand(settings, "migrate"), await shopCommand(settings, "check")];
  const [row] = await ask(DATABASE_URL, "select count(distinct number)::int as orders from orders");
  await ask(server, `drop database ${name} with (force)`);
  return ends.every(({ code }) => code === 0) && row?.orders === 2;
}
