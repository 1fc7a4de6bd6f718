import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { newDataDir } from "./support/running-shop.ts";

// The shop as its owner starts it, ended in each way and at each stage: none of its processes may remain.

const dataDirs: string[] = [];
/** A variable in the environment of every process of these shops. */
const mark = `IREPO_MARK=${randomUUID()}`;
const WITHIN = { timeout: 280_000, interval: 50 };

const contentOf = (file: string) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // the process has ended meanwhile
  }
};
const isZombie = (pid: number) => /\) Z /.test(contentOf(`/proc/${pid}/stat`));
/**
 * The processes with the mark and their descendants: PostgreSQL's processes overwrite their environment with their
 * titles.
 */
function ours(): { pid: number; command: string }[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && !isZombie(Number(name)));
  const all = pids.map((name) => ({
    pid: Number(name),
    parent: Number(/\) \S (\d+)/.exec(contentOf(`/proc/${name}/stat`))?.[1]),
    command: commandOf(Number(name)),
    isMarked: contentOf(`/proc/${name}/environ`).split("\0").includes(mark),
  }));
  const found = new Set(all.filter(({ isMarked }) => isMarked).map(({ pid }) => pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid));
}
/** All descendants of a process. Cheaper than `ours`, for repeated questions. */
function below(pid = 0): number[] {
  const children = contentOf(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...below(child)]);
}
const commandOf = (pid: number) => contentOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
const pidOf = ({ pid }: ChildProcess, command: RegExp) => below(pid).find((one) => command.test(commandOf(one))) ?? 0;

type Started = { npm: ChildProcess; dataDir: string; said(): string; ended: Promise<unknown> };

/**
 * What says nothing about the shop's end: that the database is away for a while, as on a busy machine, and that the
 * first start after a change of the sources builds the shop.
 */
const withoutWeather = (text: string) =>
  text.replaceAll(/(?:\{"level":40.*"msg":"the database is (?:away|back)"\}|Building \(only .*\) \.\.\.)\r?\n/g, "");

/** A shop of its own, since an earlier one that came further before it ended would leave stages out of the next. */
async function start({ office = false, command = ["npm", "start", "--silent"] } = {}): Promise<Started> {
  const dataDir = newDataDir();
  dataDirs.push(dataDir);
  const [program = "", ...words] = command;
  const [name = "", value] = mark.split("=");
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    [name]: value,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    OFFICE_PORT: office ? String(await freePort()) : "0",
    DEMO_PAST: "off",
  };
  const npm = spawn(program, words, { env, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  for (const stream of [npm.stdout, npm.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk;
    });
  return { npm, dataDir, said: () => withoutWeather(said), ended: once(npm, "close") };
}

const nothingIsLeft = () => expect.poll(() => ours().map(({ command }) => command), WITHIN).toEqual([]);

afterEach(() => {
  const pids = ours().map(({ pid }) => String(pid));
  if (pids.length > 0) spawnSync("kill", ["-9", ...pids]); // some of them may have ended meanwhile
});
afterAll(() => {
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true });
});

const ENDED_EARLY = "Ended before the shop was open.\n";

describe.skipIf(!existsSync("/proc/self/environ"))("46 what ends npm start", { timeout: 300_000 }, () => {
  test.each<[string, (shop: Started) => boolean]>([
    ["the shop's program begins", ({ npm }) => pidOf(npm, /scripts\/start\.ts/) > 0],
    ["its database is made", ({ dataDir }) => readdirSync(dataDir).some((name) => name.startsWith("postgres.new-"))],
    ["its database starts", ({ dataDir }) => existsSync(path.join(dataDir, "postgres/postmaster.pid"))],
    ["its tables are made", ({ npm }) => pidOf(npm, /postgres: irepo irepo /) > 0],
    ["its sandbox starts", ({ npm }) => pidOf(npm, /sandbox\/main\.ts/) > 0],
  ])("while %s leaves no process behind, and one sentence", async (_, isAt) => {
    const shop = await start();
    const { npm, said, ended } = shop;
    await expect.poll(() => isAt(shop), WITHIN).toBe(true);
    npm.kill("SIGTERM");
    await ended;
    expect(["", ENDED_EARLY]).toContain(said()); // at first Node's own signal handling ends the program
    await nothingIsLeft();
  });

  const hasTerminal = spawnSync("script", ["--version"]).status === 0;
  test.skipIf(!hasTerminal)(
    "a terminal's Ctrl-C ends it without a further word, also while pictures are made",
    async () => {
      const { npm, said, ended } = await start({
        office: true,
        command: ["script", "-qec", "npm start --silent", "/dev/null"],
      });
      await expect.poll(() => pidOf(npm, /make-pictures\.ts/), WITHIN).toBeGreaterThan(0);
      await expect.poll(said, WITHIN).toContain("Back office: ");
      npm.stdin?.write("\x03");
      await ended;
      await nothingIsLeft();
      expect(said().replaceAll("\r", "")).toMatch(/^Irepo is open: .*\nBack office: .*\n\^C$/);
    },
  );

  test.each<[string, NodeJS.Signals, (npm: ChildProcess) => number]>([
    ["npm is ended", "SIGTERM", (npm) => npm.pid ?? 0],
    ["npm is killed", "SIGKILL", (npm) => npm.pid ?? 0],
    ["what npm has started is killed", "SIGKILL", (npm) => pidOf(npm, /scripts\/boot\.mjs start/)],
  ])("%s: the open shop ends with all its processes", async (_, signal, target) => {
    const { npm, said, ended } = await start();
    await expect.poll(said, WITHIN).toContain("Irepo is open: ");
    process.kill(target(npm), signal);
    await ended;
    await nothingIsLeft();
    expect(said()).toMatch(/^Irepo is open: .*\n$/);
  });
});
