import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { newDataDir, runShop } from "#tests/support/running-shop.ts";
import { liveIn } from "./lived-in.ts";

// node tests/updates/make-dump.ts CHECKOUT NAME --server ADDRESS Starts the version in the folder CHECKOUT on a new
// database of a PostgreSQL (15, so that any newer one reads what comes of it), lets people buy and send back there, and
// writes the database to dumps/NAME.sql.gz.

const { positionals, values } = parseArgs({ allowPositionals: true, options: { server: { type: "string" } } });
const [checkout, name] = positionals;
if (!checkout || !name || !values.server) {
  process.stderr.write("node tests/updates/make-dump.ts CHECKOUT NAME --server postgresql://USER@HOST:PORT\n");
  process.exit(2);
}
const database = `irepo_dump_${process.pid}`;
const admin = new pg.Client({ connectionString: `${values.server}/postgres` });
await admin.connect();
await admin.query(`create database ${database}`);
const settings = { DATABASE_URL: `${values.server}/${database}`, DATA_DIR: newDataDir() };
execFileSync(process.execPath, ["-e", "import('./scripts/build.ts').then((build) => build.buildIfChanged())"], {
  cwd: checkout,
});
const shop = await runShop(settings, path.resolve(checkout));
try {
  const lived = await liveIn(shop, path.resolve(checkout), settings);
  process.stdout.write(`${JSON.stringify(lived)}\n`);
} finally {
  await shop.stop();
}
const tool = ["--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges", "--exclude-table-data=assets"];
const dump = execFileSync("pg_dump", [...tool, settings.DATABASE_URL], { encoding: "utf8", maxBuffer: 1e9 });
writeFileSync(path.join(import.meta.dirname, "dumps", `${name}.sql.gz`), gzipSync(dump, { level: 9 }));
await admin.query(`drop database ${database} with (force)`);
await admin.end();
