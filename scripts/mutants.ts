import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { MutantResult } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import startDatabase from "#tests/support/global-setup.ts";
import { judged, short } from "../tests/mutants/excuses.ts";
import { SURVIVORS } from "../tests/mutants/survivors.ts";
import { readArguments } from "./usage.ts";

// `npm run mutants`: changes the rooms' code in one place at a time; a test must notice (docs/decisions/038).
// -- ROOM … or -- FILE …: mutates only these. --tests FOLDER or FILE: runs only these tests.

/** The tests of orders and payments, which other code uses together, most of all the owner's. */
const SOLD = ["app/orders", "app/payments", "app/owner/orders", "app/owner/returns"];
/** The folders with the tests of each room: its own, and those of the rooms that use it most. */
const ROOMS = {
  money: ["app/money"],
  shipping: ["app/shipping"],
  cart: ["app/cart"],
  orders: SOLD,
  payments: SOLD,
};
type Room = keyof typeof ROOMS;
const isRoom = (name: string): name is Room => name in ROOMS;

const { positionals: wanted, values: asked } = readArguments("mutants", {
  options: { tests: { type: "string", multiple: true } },
  allowPositionals: true,
});
const unknown = wanted.filter((name) => !(isRoom(name) || (name.endsWith(".ts") && isRoom(roomOf(name)))));
if (unknown.length > 0) {
  process.stderr.write(`${unknown}: no room (${Object.keys(ROOMS).join(", ")}) and no file of one\n`);
  process.exit(2);
}

let unexplained = 0;
const stop = await startDatabase({
  provide: (_, url) => {
    process.env.TEST_POSTGRES = url;
  },
});
try {
  const rooms = wanted.length > 0 ? wanted : Object.keys(ROOMS);
  const rows: string[] = [];
  for (const name of rooms) rows.push(await mutate(name));
  const heads = ["", "mutants", "killed", "survived, explained", "survived", "killed of those tried"];
  process.stdout.write(`| ${heads.join(" | ")} |\n${"|---".repeat(heads.length)}|\n${rows.join("")}`);
} finally {
  await stop();
}
process.exit(unexplained > 0 ? 1 : 0);

/** Tries every mutant of a room or a file. Returns its row of the Markdown table. */
async function mutate(name: string): Promise<string> {
  const files = isRoom(name) ? globSync(`app/${name}/**/*.ts`, { exclude: ["**/*.{test,browser}.ts"] }) : [name];
  const room = (isRoom(name) ? name : roomOf(name)) as Room;
  const tests = (asked.tests ?? ROOMS[room]).flatMap((place) =>
    place.includes(".test.") ? place : globSync(`${place}/**/*.test.{ts,tsx}`),
  );
  const kept = `data/mutants/${name.replaceAll("/", "-")}`;
  const results = await new Stryker({
    configFile: "stryker.config.ts",
    mutate: files,
    testFiles: tests,
    incrementalFile: `${kept}.json`,
    htmlReporter: { fileName: `${kept}.html` },
  }).runMutationTest();
  const tried = results.filter(
    ({ fileName, status }) => status !== "Ignored" && files.includes(path.relative(".", fileName)),
  );
  const survivors = tried.filter(({ status }) => status === "Survived" || status === "NoCoverage").map(described);
  const killed = tried.length - survivors.length; // includes those that ended in a timeout or failed a file's set-up
  const open = files.map((file) => report(file, survivors)).reduce((sum, count) => sum + count, 0);
  const share = `${Math.floor((1000 * killed) / tried.length) / 10}%`;
  return `| ${name} | ${tried.length} | ${killed} | ${survivors.length - open} | ${open} | ${share} |\n`;
}

/**
 * Prints the file's survivors without an excuse, and the excuses without a survivor. Returns the number of the former.
 */
function report(file: string, survivors: ReturnType<typeof described>[]): number {
  const { open, idle } = judged(
    survivors.filter((one) => one.file === file),
    SURVIVORS[file],
  );
  const say = (place: string, what: string, { from, to }: { from: string; to: string }) =>
    process.stdout.write(`${place} ${what}: ${JSON.stringify([from, to])}\n`);
  for (const one of open) say(`${file}:${one.line}`, "survived", one);
  unexplained += open.length;
  for (const one of idle) say(file, `is listed ${one.times} times too often in survivors.ts`, one);
  unexplained += idle.length;
  return open.length;
}

function roomOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** A mutant's original code and its replacement, in the form of `SURVIVORS`. */
function described({ fileName, location: { start, end }, replacement = "" }: MutantResult) {
  const file = path.relative(".", fileName);
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? "";
  lines[0] = lines[0]?.slice(start.column - 1) ?? "";
  return { file, line: start.line, from: short(lines.join("\n")), to: short(replacement) };
}
