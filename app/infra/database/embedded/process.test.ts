import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { postmaster } from "./process.server.ts";

test("a pid file that another process writes and removes meanwhile causes no error", async () => {
  const cluster = mkdtempSync(path.join(tmpdir(), "irepo-cluster-"));
  const loop = `
    const { rmSync, writeFileSync } = require("node:fs");
    for (;;) { writeFileSync(process.argv[1], "17\\n\\n\\n5432\\n"); rmSync(process.argv[1]); }`;
  const other = spawn(process.execPath, ["-e", loop, path.join(cluster, "postmaster.pid")]);
  await expect.poll(() => postmaster(cluster)).toEqual({ pid: 17, port: 5432 });
  const seen = new Set<number | undefined>();
  for (let times = 0; times < 20_000; times++) seen.add(postmaster(cluster)?.port);
  other.kill("SIGKILL");
  expect(seen).toEqual(new Set([5432, undefined]));
});
