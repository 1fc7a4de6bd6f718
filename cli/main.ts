import { closeDb, openDb } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { migrate } from "#app/infra/migrate.server.ts";
import { startPostgres } from "#app/infra/postgres.server.ts";
import { closeQueue, openQueue } from "#app/infra/queue.server.ts";
import { commands } from "./commands.ts";

async function run(): Promise<number> {
  const words = process.argv.slice(2);
  const json = words.includes("--json");
  const [name = "", ...args] = words.filter((word) => word !== "--json");
  const command = commands[name];
  if (!command) return usage(name);
  const postgres = env.DATABASE_URL ? undefined : await startPostgres(env.dataDir);
  const url = env.DATABASE_URL ?? postgres?.url ?? "";
  const db = openDb({ url, max: 4, name: "irepo shop" });
  try {
    await migrate(db);
    await openQueue(url, { name: "irepo shop jobs" });
    const { code, data, text } = await command.run(db, args);
    process.stdout.write(`${json ? JSON.stringify(data, null, 2) : text}\n`);
    return code;
  } finally {
    await closeQueue();
    await closeDb();
    await postgres?.stop();
  }
}

function usage(name: string): number {
  const list = Object.entries(commands).flatMap(([, { usage }]) => usage.map((line) => `  npm run shop -- ${line}`));
  if (name) process.stderr.write(`There is no command '${name}'.\n`);
  (name ? process.stderr : process.stdout).write(`The owner's commands (each takes --json):\n${list.join("\n")}\n`);
  return name ? 2 : 0;
}

run().then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  },
);
