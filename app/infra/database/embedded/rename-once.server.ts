import { existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/** Moves a folder that is complete to its place. A second process may have been quicker: then its folder stays. */
export function renameOnce(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(path.join(to, "PG_VERSION")) && !existsSync(path.join(to, "bin"))) throw error;
    rmSync(from, { recursive: true, force: true });
  }
}
