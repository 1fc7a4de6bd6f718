import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import headless from "@xterm/headless";
import { expect } from "vitest";

/** So high that every page is on one screen. */
const ROWS = 400;
const COLUMNS = 100;

export const ENTER = "\r";
export const TAB = "\t";

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

export const hasTerminal = existsSync("/usr/bin/script");

export type Terminal = ReturnType<typeof openTerminal>;

/**
 * A program in a terminal of its own: what it shows can be read, and keys can be pressed. `script`, of util-linux,
 * makes the terminal.
 */
export function openTerminal(command: string[]) {
  const terminal = new headless.Terminal({ rows: ROWS, cols: COLUMNS, allowProposedApi: true });
  const inside = `stty rows ${ROWS} cols ${COLUMNS}; exec ${command.map(quoted).join(" ")}`;
  const env = { ...process.env, TERM: "xterm", LANG: "C.UTF-8" };
  const program = spawn("script", ["-qefc", inside, "/dev/null"], { env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(program, "exit");
  program.stdout.on("data", (bytes: Buffer) => terminal.write(bytes));
  terminal.onData((answer) => program.stdin.write(answer)); // a program asks its terminal what it is

  const lines = () =>
    Array.from({ length: ROWS }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true).trim() ?? "");
  return {
    lines,
    press: (...keys: string[]) => void program.stdin.write(keys.join("")),
    /** Waits until the screen says this. */
    see: (words: RegExp) => expect.poll(() => lines().join("\n"), { interval: 20 }).toMatch(words),
    async close() {
      program.kill();
      await ended;
      terminal.dispose();
    },
  };
}
