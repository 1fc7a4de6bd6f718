import { userInfo } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { BadInput } from "#app/infra/bad-input.ts";
import { closeDb, openDb } from "#app/infra/database/db.server.ts";
import { hasCluster } from "#app/infra/database/embedded/cluster.server.ts";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import { type Access, databaseElsewhere, prepareDatabase, reachDatabase } from "#app/infra/database/prepare.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { logAside } from "#app/infra/log.server.ts";
import { VERSION } from "#app/infra/settings/version.server.ts";
import { printable, printableJson } from "#app/infra/text/terminal-text.ts";
import { actionsLike, type Call, readCall, usageOf } from "./call.ts";
import { failure, hasFailed, type Result } from "./command.ts";

const line = process.argv.slice(2);

async function run(): Promise<Result> {
  if (line.includes("--version")) return { code: 0, data: { version: VERSION }, text: VERSION };
  if (line.includes("--help") || line.every((word) => word.startsWith("--"))) return help();
  const call = readCall(line);
  if (call.isFormerName)
    process.stderr.write(`This command is called '${call.name}' now. The next version knows no other name.\n`);
  return env.DATABASE_URL ? runElsewhere(call, env.DATABASE_URL) : runHere(call);
}

async function runHere(call: Call): Promise<Result> {
  const isMissing = new BadInput(
    `DATA_DIR: there is no shop in ${env.dataDir} (looked for a database in ${path.join(env.dataDir, "postgres")}). Set it to the shop's folder; only 'npm start' creates a new shop`,
  );
  if (!hasCluster(env.dataDir)) throw isMissing;
  const postgres = await startPostgres(env.dataDir);
  try {
    return await runIn({ owner: postgres.url, setting: "DATA_DIR" }, call, isMissing);
  } finally {
    await postgres.stop();
  }
}

function runElsewhere(call: Call, url: string): Promise<Result> {
  const { host, pathname } = new URL(url);
  const isMissing = new BadInput(
    `DATABASE_URL: there is no shop in the database ${pathname.slice(1)} at ${host} (looked for the table kysely_migration). Set it to the shop's database; only 'npm start' and 'migrate' create a new shop`,
  );
  return runIn(databaseElsewhere(url), call, isMissing);
}

async function runIn(access: Access, call: Call, isMissing: BadInput): Promise<Result> {
  const reached = await (call.migrates ? prepareDatabase(access) : reachDatabase(access));
  if (!reached) throw isMissing;
  const url = reached.direct ?? reached.url;
  const db = openDb({ url: call.asOwner ? access.owner : url, max: 4, name: "irepo shop" });
  try {
    await openQueue(url, { name: "irepo shop jobs" });
    const isAtTerminal = process.stdin.isTTY && process.stderr.isTTY;
    return await call.run(db, { name: userInfo().username, door: "command" }, isAtTerminal ? ask : undefined);
  } finally {
    await closeQueue();
    await closeDb();
  }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${printable(question)} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function help(): Result {
  const known = actionsLike(line).map(([name, action]) => ({ usage: usageOf(name, action), says: action.says }));
  const list = known.map(({ usage, says }) => `  npm run shop -- ${usage}\n      ${says}`).join("\n");
  return {
    code: 0,
    data: { commands: known.map(({ usage }) => usage) },
    text: `The owner's commands (each takes --json, and --yes to answer its questions):\n${list}`,
  };
}

/**
 * Prints the result, with --json always on stdout. Otherwise findings go to stdout, and errors that kept the command
 * from its work to stderr, so that a script can separate them.
 */
function end(result: Result): void {
  const { code, data, text } = result;
  const output = hasFailed(result) ? process.stderr : process.stdout;
  if (line.includes("--json")) process.stdout.write(`${printableJson(JSON.stringify(data, null, 2))}\n`);
  else output.write(`${printable(text)}\n`);
  process.exit(code);
}

logAside();
run().then(end, (error) => end(failure(error)));
