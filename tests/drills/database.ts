import { spawn } from "node:child_process";
import { once } from "node:events";
import { missingEngines } from "#tests/machines/topology.ts";
import type { Drill } from "./drill.ts";

/** The required programs that are not installed. */
export const missingForDatabase = missingEngines;

/** The machine of the primary database is lost while buyers buy: tests/machines/main.ts with one death. */
export async function playDatabase({ step, goal }: Drill): Promise<void> {
  const words = ["tests/machines/main.ts", "--kills", "1", "--no-freezes"];
  const [code] = await step("a death of the primary's machine, and its return as a standby", () =>
    once(spawn(process.execPath, words, { stdio: "inherit" }), "exit"),
  );
  goal("nothing that was acknowledged is lost, and it sells again within 30 s", code === 0);
}
