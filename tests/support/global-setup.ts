import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { postgresAccount } from "#app/infra/database/embedded/binaries.server.ts";
import { clusterFolder } from "#app/infra/database/embedded/cluster.server.ts";
import { isAlive, postmaster } from "#app/infra/database/embedded/process.server.ts";
import { startPostgres } from "#app/infra/database/postgres.server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/**
 * One folder for all that a run lays down, and one PostgreSQL in it, unless TEST_POSTGRES is the address of one that such a folder has already. The
 * first test that asks makes the template that all others copy.
 */
export default async function setup(project: Pick<TestProject, "provide">): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES;
  if (given) {
    project.provide("postgresUrl", given);
    return async () => undefined;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-tests-"));
  chmodSync(folder, 0o755); // as root, another user runs PostgreSQL
  process.env.TMPDIR = folder; // what tests, shops and browsers leave goes with it
  const postgres = await startPostgres(folder);
  const server = postmaster(clusterFolder(folder, postgresAccount()));
  const endAtOnce = () => {
    if (server && isAlive(server.pid)) process.kill(server.pid, "SIGQUIT");
    while (server && isAlive(server.pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10); // in ms: nothing runs here that could be awaited
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", endAtOnce); // Ctrl-C: Vitest goes without the teardown
  process.on("SIGHUP", () => process.exit(129)); // the terminal was closed
  const url = postgres.url.replace(/\/irepo$/, "/postgres");
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query("create database irepo_template");
  // A power cut is no part of a test: nobody waits for the disk.
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit"])
    await admin.query(`alter system set ${setting} = off`);
  // Every table is small: a plan that fits all values is as good as one made for each.
  await admin.query("alter system set plan_cache_mode = force_generic_plan");
  await admin.query("select pg_reload_conf()");
  await admin.end();
  project.provide("postgresUrl", url);
  return async () => {
    process.off("exit", endAtOnce);
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
