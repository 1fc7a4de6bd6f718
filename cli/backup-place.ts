import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { DAY } from "#app/infra/durations.ts";

const NAME = /^irepo-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;
const UNFINISHED = ".part";

/**
 * The file of a backup made at `now`. In a folder, the file is named after the time in UTC, so that names sort by time.
 */
export function backupFile(place: string, now = new Date()): string {
  if (!isFolder(place)) return place;
  return path.join(place, `irepo-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`);
}

export function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Removes the backups in `folder` that are named like those of `backupFile`, except the newest `keep`. Returns how
 * many. Also removes the unfinished files of killed backups after a day.
 */
export function removeOlder(folder: string, keep: number, now = Date.now()): number {
  const names = readdirSync(folder);
  const whole = names.filter((name) => NAME.test(name)).sort();
  const halves = names.filter((name) => name.endsWith(UNFINISHED) && NAME.test(name.slice(0, -UNFINISHED.length)));
  const old = halves.filter((name) => now - statSync(path.join(folder, name)).mtimeMs > DAY);
  const surplus = whole.slice(0, Math.max(0, whole.length - keep));
  for (const name of [...surplus, ...old]) rmSync(path.join(folder, name), { force: true });
  return surplus.length;
}
