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
 * Makes one folder for everything that a run writes, with one PostgreSQL in it. TEST_POSTGRES is the address of such a
 * server that runs already, to be used instead. The first test that needs a database makes the template that all others
 * copy.
 */
export default async function setup(project: Pick<TestProject, "provide">): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES;
  if (given) {
    project.provide("postgresUrl", given);
    return async () => undefined;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-tests-"));
  chmodSync(folder, 0o755); // as root, another user runs PostgreSQL
  process.env.TMPDIR = folder; // files of tests, shops and browsers are removed with this folder
  const postgres = await startPostgres(folder);
  const server = postmaster(clusterFolder(folder, postgresAccount()));
  const endAtOnce = () => {
    if (server && isAlive(server.pid)) process.kill(server.pid, "SIGQUIT");
    // Waits 10 ms at a time: a handler of "exit" cannot await anything.
    while (server && isAlive(server.pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", endAtOnce); // on Ctrl-C, Vitest exits without the teardown
  process.on("SIGHUP", () => process.exit(129)); // the terminal was closed
  const url = postgres.url.replace(/\/irepo$/, "/postgres");
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query("create database irepo_template");
  // Tests have no power cuts, so no statement needs to wait for the disk.
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit"])
    await admin.query(`alter system set ${setting} = off`);
  // Every table is small: one plan for all values is as good as a plan for each.
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
