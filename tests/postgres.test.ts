import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { catalogWatch } from "#app/catalog/changes.server.ts";
import { closeDb, type Db, openDb } from "#app/infra/database/db.server.ts";
import { migrate } from "#app/infra/database/migrate.server.ts";
import { startPostgres } from "#app/infra/database/postgres.server.ts";

const folders: string[] = [];

function newFolder(mode: number): string {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-postgres-"));
  folders.push(folder);
  chmodSync(folder, mode);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function one(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return Object.values((await client.query(query)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

function serverPid(dataDir: string): number {
  return Number(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("starts, keeps what was written over a stop, and is gone after it", async () => {
  const dataDir = newFolder(0o755);
  const first = await startPostgres(dataDir);
  const pid = serverPid(dataDir);
  await one(first.url, "create table kept as select 7 as n");
  await first.stop();
  await expect.poll(() => isThere(pid)).toBe(false); // the process has ended, but its parent may not have reaped it yet
  const second = await startPostgres(dataDir);
  expect(await one(second.url, "select n from kept")).toBe(7);
  await second.stop();
});

test("a server left running by a killed shop is used again", async () => {
  const dataDir = newFolder(0o755);
  await startPostgres(dataDir);
  const again = await startPostgres(dataDir);
  expect(again.reused).toBe(true);
  await again.stop();
});

test("a server takes as many connections as it is started for, and keeps that number while it runs", async () => {
  const dataDir = newFolder(0o755);
  const first = await startPostgres(dataDir, 1500);
  const again = await startPostgres(dataDir, 1700);
  expect(await one(again.url, "show max_connections")).toBe("1500");
  await first.stop();
});

test("a server killed hard recovers at the next start", async () => {
  const dataDir = newFolder(0o755);
  const first = await startPostgres(dataDir);
  await one(first.url, "create table kept as select 7 as n");
  process.kill(serverPid(dataDir), "SIGKILL");
  const second = await startPostgres(dataDir);
  expect(await one(second.url, "select n from kept")).toBe(7);
  await second.stop();
});

test("what was changed just before a server is killed hard is seen by every process when it is back, and then no more", async () => {
  const dataDir = newFolder(0o755);
  const first = await startPostgres(dataDir);
  const before = openDb({ url: first.url, max: 2, name: "before" });
  await migrate(before);
  const processes = [catalogWatch(), catalogWatch()];
  const look = (on: Db) => Promise.all(processes.map((hasChanged) => hasChanged(on)));
  for (const _ of processes) await look(before);
  expect(await look(before)).toEqual([false, false]);
  await sql`insert into exchange_rates (rate, source) values (1700, 'test')`.execute(before);
  process.kill(serverPid(dataDir), "SIGKILL");
  await closeDb();
  const second = await startPostgres(dataDir);
  const after = openDb({ url: second.url, max: 2, name: "after" });
  expect(await processes[0]?.(after)).toBe(true);
  expect(await processes[0]?.(after), "its own trace of the recovery").toBe(true);
  expect(await processes[1]?.(after)).toBe(true);
  expect(await look(after)).toEqual([false, false]);
  await closeDb();
  await second.stop();
});

test("a killed server whose last query still runs holds up the next start only until the query ends", async () => {
  const dataDir = newFolder(0o755);
  const first = await startPostgres(dataDir);
  const client = new pg.Client({ connectionString: first.url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("create table kept as select 7 as n");
  const query = client.query("select count(*) from generate_series(1, 5000000)").catch(() => undefined);
  await expect
    .poll(() =>
      one(
        first.url,
        "select count(*)::int from pg_stat_activity where query like '%series%' and state = 'active' and pid <> pg_backend_pid()",
      ),
    )
    .toBe(1);
  process.kill(serverPid(dataDir), "SIGKILL");
  const second = await startPostgres(dataDir);
  expect(await one(second.url, "select n from kept")).toBe(7);
  await query;
  await second.stop();
});

test("a start that cannot succeed says so at once, with the end of the server's log", async () => {
  const dataDir = newFolder(0o755);
  await (await startPostgres(dataDir)).stop();
  writeFileSync(path.join(dataDir, "postgres/postgresql.conf"), "no_such_setting = 1\n");
  await expect(startPostgres(dataDir)).rejects.toThrow(/did not start[\s\S]*no_such_setting/);
});

test.each<[string, (file: string) => void]>([
  ["missing", (file) => rmSync(file)],
  ["another", (file) => writeFileSync(file, "another")],
])("a password file that is %s is named at once", async (_, change) => {
  const dataDir = newFolder(0o755);
  await (await startPostgres(dataDir)).stop();
  const file = path.join(dataDir, "postgres-password");
  const kept = readFileSync(file);
  change(file);
  await expect(startPostgres(dataDir)).rejects.toThrow(/^DATA_DIR: .*postgres-password/);
  writeFileSync(file, kept);
  await (await startPostgres(dataDir)).stop();
});

test("a left-over pid file whose number belongs to another program now does not block the start", async () => {
  const dataDir = newFolder(0o755);
  const first = await startPostgres(dataDir);
  const pid = serverPid(dataDir);
  const pidFile = readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8");
  await first.stop();
  const other = spawn("sleep", ["60"]);
  writeFileSync(path.join(dataDir, "postgres/postmaster.pid"), pidFile.replace(String(pid), String(other.pid)));
  const second = await startPostgres(dataDir);
  expect(second.reused).toBe(false);
  await second.stop();
  other.kill();
});

test("two starts at once end in one server", async () => {
  const dataDir = newFolder(0o755);
  const both = await Promise.all([startPostgres(dataDir), startPostgres(dataDir)]);
  expect(both[0].url).toBe(both[1].url);
  await both[0].stop();
});

test("the server stays while another of the shop's processes uses it", async () => {
  const dataDir = newFolder(0o755);
  const postgres = await startPostgres(dataDir);
  const other = new pg.Client({ connectionString: postgres.url, application_name: "irepo web" });
  await other.connect();
  await postgres.stop();
  expect((await other.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  await other.end();
  await postgres.stop();
});

test.each<[string, (data: string, place: string) => string]>([
  ["its place", (_, place) => place],
  ["its place from the data folder", (data, place) => path.relative(data, place)],
])("the files may lie elsewhere, where a link names %s", async (_, named) => {
  const dataDir = newFolder(0o755);
  const place = path.join(newFolder(0o755), "postgres");
  symlinkSync(named(dataDir, place), path.join(dataDir, "postgres"));
  const postgres = await startPostgres(dataDir);
  expect(await one(postgres.url, "show data_directory")).toBe(place);
  await postgres.stop();
});

test("a folder under a private home works too", async () => {
  const home = newFolder(0o700);
  const dataDir = path.join(home, "shop/data");
  mkdirSync(dataDir, { recursive: true });
  const postgres = await startPostgres(dataDir);
  const files = await one(postgres.url, "show data_directory");
  expect(await one(postgres.url, "select 1")).toBe(1);
  await postgres.stop();
  folders.push(String(files));
});
