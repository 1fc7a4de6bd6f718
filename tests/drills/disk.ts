import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { runShop } from "#tests/support/running-shop.ts";
import type { Drill } from "./drill.ts";

// The disk of the database and of DATA_DIR fills up: /status reports it until there is room again.

/** The drill mounts a small file system, which needs root. */
export const missingForDisk = () => (process.getuid?.() === 0 ? [] : ["root's rights"]);

const A_MEGABYTE = 1024 * 1024;

export async function playDisk({ step, goal, afterwards }: Drill): Promise<void> {
  const place = mkdtempSync(path.join(tmpdir(), "irepo-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=300m,mode=755", "none", place]);
  afterwards(() => {
    execFileSync("umount", ["--lazy", place]);
    rmSync(place, { recursive: true });
  });
  const dataDir = path.join(place, "data");
  mkdirSync(dataDir, { mode: 0o755 });
  const shop = await step("a shop is open on a disk of 300 MB", () => runShop({ DATA_DIR: dataDir }));
  afterwards(shop.stop);
  const status = async () => (await fetch(`${shop.url}/status`)).status;
  const filler = path.join(place, "filler");
  goal("/status answers 200", (await status()) === 200);
  await step("the disk is filled", async () => fill(filler));
  await sleep(2 * SECOND); // answers of /status are cached for a second
  goal("/status answers 503", (await status()) === 503);
  goal("pages are still answered", (await fetch(`${shop.url}/about`)).ok);
  await step("there is room again", async () => rmSync(filler));
  await sleep(2 * SECOND);
  goal("/status answers 200 again", (await status()) === 200);
}

function fill(file: string): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(A_MEGABYTE), { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
