import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { closeDb, openDb } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { logAside } from "#app/infra/log.server.ts";
import { migrate } from "#app/infra/migrate.server.ts";
import { startPostgres } from "#app/infra/postgres.server.ts";
import { closeQueue, openQueue } from "#app/infra/queue.server.ts";
import { printable, printableJson } from "#app/infra/terminal-text.ts";
import { actionsLike, readCall, usageOf } from "./call.ts";
import { failure, type Result } from "./command.ts";

const line = process.argv.slice(2);

async function run(): Promise<Result> {
  if (line.includes("--help") || line.every((word) => word.startsWith("--"))) return help();
  const call = readCall(line);
  const postgres = env.DATABASE_URL ? undefined : await startPostgres(env.dataDir);
  const url = env.DATABASE_URL ?? postgres?.url ?? "";
  const db = openDb({ url, max: 4, name: "irepo shop" });
  try {
    await migrate(db);
    await openQueue(url, { name: "irepo shop jobs" });
    const isAtTerminal = process.stdin.isTTY && process.stderr.isTTY;
    return await call.run(db, { name: userInfo().username, door: "command" }, isAtTerminal ? ask : undefined);
  } finally {
    await closeQueue();
    await closeDb();
    await postgres?.stop();
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
    text: `The owner's commands (each takes --json, and --yes, which answers its questions):\n${list}`,
  };
}

function end({ code, data, text }: Result, output: NodeJS.WriteStream): void {
  if (line.includes("--json")) process.stdout.write(`${printableJson(JSON.stringify(data, null, 2))}\n`);
  else output.write(`${printable(text)}\n`);
  process.exit(code);
}

logAside();
run().then(
  (result) => end(result, process.stdout),
  (error) => end(failure(error), process.stderr),
);
