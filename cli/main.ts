import { closeDb, openDb } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { logAside } from "#app/infra/log.server.ts";
import { migrate } from "#app/infra/migrate.server.ts";
import { startPostgres } from "#app/infra/postgres.server.ts";
import { closeQueue, openQueue } from "#app/infra/queue.server.ts";
import { failure, type Result } from "./command.ts";
import { commandOf, commands } from "./commands.ts";

const words = process.argv.slice(2);
const json = words.includes("--json");
const [name, ...args] = words.filter((word) => word !== "--json");

async function run(): Promise<Result> {
  if (name === undefined) return usage();
  const command = commandOf(name);
  const postgres = env.DATABASE_URL ? undefined : await startPostgres(env.dataDir);
  const url = env.DATABASE_URL ?? postgres?.url ?? "";
  const db = openDb({ url, max: 4, name: "irepo shop" });
  try {
    await migrate(db);
    await openQueue(url, { name: "irepo shop jobs" });
    return await command.run(db, args);
  } finally {
    await closeQueue();
    await closeDb();
    await postgres?.stop();
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
