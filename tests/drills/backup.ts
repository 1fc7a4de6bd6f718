import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { contentHash } from "#app/catalog/pictures/originals.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { ask } from "#tests/support/ask-database.ts";
import { pastSales } from "#tests/support/past-sales.ts";
import { ownerUrl, type RunningShop, serverFile } from "#tests/support/running-shop.ts";
import { type Drill, inTime } from "./drill.ts";
import { buy, type OneShop, startOneShop } from "./one-shop.ts";

// The machine is lost, with database and pictures: the shop continues on another machine from last night's backup.

const SELLS_WITHIN = 10 * MINUTE;
/** The size of the backup that the goal names, in GB. */
const LARGE = 10;
const GIGABYTE = 1e9;
/** The size of a photograph. */
const PICTURE_BYTES = 2e6;
const ORDERS_IN_A_GIGABYTE = 10_000;
/** In half hours: the invented sales are older than the days that are compared with the provider. */
const LONG_AGO = 1000;
/** Adds the mail of each sale that has none. */
const TOLD = `insert into outbox (idempotency_key, recipient, kind, data, message_id, state, sent_at)
  select 'sale:' || id, email, 'sale', '{}', id, 'sent', created_at from sales on conflict do nothing`;
const SAMPLE = "db/demo/images/rings-tee-front.jpg";

export async function playBackup(drill: Drill, gigabytes: number): Promise<void> {
  const { step, say, goal } = drill;
  const one = await step("a shop is open", () => startOneShop(drill));
  await step("it sells", () => buy(one.customer));
  if (gigabytes > 0) await step(`${gigabytes} GB of pictures and orders are in it`, () => fill(one.shop, gigabytes));
  const file = path.join(one.folder, "last-night.backup");
  await step("npm run shop -- backup", () => done(one, "backup", file));
  const size = statSync(file).size / GIGABYTE;
  say(`the backup has ${size.toFixed(2)} GB`);
  const since = [await buy(one.customer), await buy(one.customer)];

  const lostAt = performance.now();
  await step("the machine is lost, with its folder", () => lose(one.shop));
  await step("another one: npm start", one.startAnew);
  const restored = performance.now();
  await step("npm run shop -- restore", () => done(one, "restore", file));
  const perGigabyte = (performance.now() - restored) / size;
  await step("the shop is started again", () => one.shop.restart());
  await step("npm run shop -- check", () => done(one, "check"));
  const reference = await step("it sells again, to a customer who is still signed in", () => buy(one.customer));
  const sellsAfter = performance.now() - lostAt;

  const { said } = await step("npm run shop -- check --provider", () => one.command("check", "--provider"));
  say(said.split("\n")[0] ?? "");
  const named = since.filter((lost) => said.includes(lost));
  goal(
    "what was sold since the backup is named, and nothing else",
    named.length === since.length && !said.includes(reference),
    `${named.length} of ${since.length}`,
  );
  await step("npm run shop -- orders refund, for each of these", () => refund(one, since));
  goal("no money is left without an order", (await one.command("check", "--provider")).code === 0);

  const large = sellsAfter + perGigabyte * (LARGE - size);
  goal(`it sells again within ${inTime(SELLS_WITHIN)}`, sellsAfter < SELLS_WITHIN, inTime(sellsAfter));
  if (size > 0.4)
    goal(`and so from ${LARGE} GB`, large < SELLS_WITHIN, `${inTime(perGigabyte)} for each GB: ${inTime(large)}`);
}

/** Runs an owner's command; throws unless it ends with 0. */
async function done(one: OneShop, ...words: string[]): Promise<void> {
  const { code, said } = await one.command(...words);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${said}`);
}

async function refund(one: OneShop, references: string[]): Promise<void> {
  for (const reference of references) await done(one, "orders", "refund", reference, "--yes");
}

/** Adds pictures like photographs, all different and incompressible, and orders of earlier years. */
async function fill(shop: RunningShop, gigabytes: number): Promise<void> {
  const folder = path.join(shop.dataDir, "pictures");
  mkdirSync(folder, { recursive: true });
  const sample = readFileSync(SAMPLE);
  for (let left = gigabytes * GIGABYTE; left > 0; left -= PICTURE_BYTES) {
    const bytes = Buffer.concat([sample, randomBytes(PICTURE_BYTES - sample.length)]);
    writeFileSync(path.join(folder, `${contentHash(bytes)}.jpg`), bytes);
  }
  const orders = Math.ceil(gigabytes * ORDERS_IN_A_GIGABYTE);
  for (const statement of [...pastSales(orders, 0, { first: LONG_AGO }), TOLD]) await ask(ownerUrl(shop), statement);
}

/** Kills every process at once and deletes all data, as if the machine had burned. */
async function lose(shop: RunningShop): Promise<void> {
  const [database] = serverFile(shop);
  await shop.kill();
  process.kill(Number(database), "SIGKILL");
  rmSync(shop.dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
