import { existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/** Moves a completed folder to its place. If another process was faster, its folder stays and `from` is removed. */
export function renameOnce(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(path.join(to, "PG_VERSION")) && !existsSync(path.join(to, "bin"))) throw error;
    rmSync(from, { recursive: true, force: true });
  }
}
