import path from "node:path";
import { BadInput } from "#app/infra/bad-input.ts";
import { closeDb, openDb } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { logAside } from "#app/infra/log.server.ts";
import { hasCluster, startPostgres } from "#app/infra/postgres.server.ts";
import { type Access, databaseElsewhere, reachDatabase } from "#app/infra/prepare-database.server.ts";
import { closeQueue, openQueue } from "#app/infra/queue.server.ts";
import { type Command, failure, type Result } from "./command.ts";
import { commandOf, commands } from "./commands.ts";

const words = process.argv.slice(2);
const json = words.includes("--json");
const [name, ...args] = words.filter((word) => word !== "--json");

async function run(): Promise<Result> {
  if (name === undefined) return usage();
  const command = commandOf(name);
  return env.DATABASE_URL ? runElsewhere(command, env.DATABASE_URL) : runHere(command);
}

async function runHere(command: Command): Promise<Result> {
  const isMissing = new BadInput(
    `DATA_DIR: there is no shop in ${env.dataDir} (looked for a database in ${path.join(env.dataDir, "postgres")}): name the shop's folder; only 'npm start' makes a new one`,
  );
  if (!hasCluster(env.dataDir)) throw isMissing;
  const postgres = await startPostgres(env.dataDir);
  try {
    return await runIn({ owner: postgres.url, setting: "DATA_DIR" }, command, isMissing);
  } finally {
    await postgres.stop();
  }
}

function runElsewhere(command: Command, url: string): Promise<Result> {
  const { host, pathname } = new URL(url);
  const isMissing = new BadInput(
    `DATABASE_URL: there is no shop in the database ${pathname.slice(1)} at ${host} (looked for the table kysely_migration): name the shop's database; only 'npm start' makes a new shop`,
  );
  return runIn(databaseElsewhere(url), command, isMissing);
}

async function runIn(access: Access, command: Command, isMissing: BadInput): Promise<Result> {
  const reached = await reachDatabase(access);
  if (!reached) throw isMissing;
  const db = openDb({ url: command.asOwner ? access.owner : reached.url, max: 4, name: "irepo shop" });
  try {
    await openQueue(reached.url, { name: "irepo shop jobs" });
    return await command.run(db, args);
  } finally {
    await closeQueue();
    await closeDb();
  }
}

function usage(): Result {
  const lines = Object.values(commands).flatMap(({ usage }) => usage);
  const list = lines.map((line) => `  npm run shop -- ${line}`).join("\n");
  return { code: 0, data: { commands: lines }, text: `The owner's commands (each takes --json):\n${list}` };
}

function end({ code, data, text }: Result, output: NodeJS.WriteStream): void {
  if (json) process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
  else output.write(`${text}\n`);
  process.exit(code);
}

logAside();
run().then(
  (result) => end(result, process.stdout),
  (error) => end(failure(error), process.stderr),
);
