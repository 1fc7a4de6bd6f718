// Runs on any Node >= 18 that the machine has: installs what package-lock.json says, then runs the command with the
// project's own Node.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const node = path.join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
const stamp = "node_modules/.installed";
const [command, ...rest] = process.argv.slice(2);
/** Commands that need only the packages of a running shop, none of those for tests, benches and tools. */
const SHOP_COMMANDS = new Set(["start", "shop", "sandbox"]);

/** `child`: the running process, npm or the command. `asked`: whether this process was told to end. */
let child;
let asked = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(signal));
endWithNpm();
await install();
await run();

async function install() {
  const lock = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
  const [installed, kind] = existsSync(stamp) && existsSync(node) ? readFileSync(stamp, "utf8").split(" ") : [];
  const isCurrent = installed === lock;
  const needsAll = !SHOP_COMMANDS.has(command) || kind === "all";
  if (isCurrent && (kind === "all" || !needsAll)) return;
  process.stderr.write(
    isCurrent
      ? "Installing what tests and tools need beside the shop ...\n"
      : "Installing what the lock file says (only when it has changed) ...\n",
  );
  const npm = process.env.npm_execpath;
  // `npm ci` deletes node_modules first, which would break a shop that runs from this folder. `install` only adds
  // packages.
  const way = isCurrent ? ["install", "--no-save"] : ["ci"];
  const args = [...way, `--${needsAll ? "include" : "omit"}=dev`, "--no-audit", "--no-fund", "--loglevel=error"];
  const [program, ...words] = npm ? [process.execPath, npm, ...args] : ["npm", ...args];
  const attempt = async () => (await ended(spawn(program, words, { stdio: ["ignore", 2, 2] }))).code;
  // On a machine for tests a registry that is away for a moment must not make a commit red.
  let code = await attempt();
  for (let left = process.env.CI ? 2 : 0; code !== 0 && !asked && left > 0; left--) code = await attempt();
  if (asked) process.exit(command === "start" ? 0 : 130);
  if (code !== 0) fail("The installation failed; the reason stands above.", 2);
  if (!existsSync(node))
    fail(
      "The project's own Node is missing: npm must be allowed to run the install script of the package 'node' (ignore-scripts=false).",
      2,
    );
  removeHeaders();
  writeFileSync(stamp, `${lock} ${needsAll ? "all" : "shop"}`);
}

/** The package of Node brings headers for building native addons, 68 MB: nothing here builds one. */
function removeHeaders() {
  const builds = "node_modules/node/node_modules"; // one for each platform
  if (!existsSync(builds)) return;
  for (const name of readdirSync(builds)) {
    const headers = path.join(builds, name, "include");
    if (existsSync(headers)) rmSync(headers, { recursive: true }); // files lie there, too
  }
}

async function run() {
  const env = {
    NODE_COMPILE_CACHE: path.join(root, "node_modules/.cache/compiled"), // compiling takes half of a start
    ...process.env,
    PATH: `${path.join(root, "node_modules/.bin")}${path.delimiter}${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
    ...(command === "start" && { IREPO_CHANNEL: "1" }),
  };
  // The "ipc" channel tells the shop when this process has ended, for whatever reason.
  const asksForHelp = rest.includes("--help") && command !== "shop"; // `shop` explains each of its actions itself
  const words = asksForHelp ? ["scripts/usage.ts", command] : [path.join("scripts", `${command}.ts`), ...rest];
  const started = spawn(node, words, {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env,
  });
  const { code, signal } = await ended(started);
  if (asked && command === "start") process.exit(0);
  if (signal === "SIGKILL" && SHOP_COMMANDS.has(command))
    fail(
      "The shop was killed (SIGKILL), most likely since the machine has too little memory: docs/running.md says what it needs.",
    );
  process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
}

function ended(started) {
  child = started;
  return new Promise((resolve) => {
    started.on("error", (error) => fail(error.message));
    started.on("exit", (code, signal) => resolve({ code, signal }));
  });
}

function end(signal) {
  asked = true;
  child?.kill(signal);
}

/** npm forwards signals to this process, but sends none when it is killed. A changed parent process shows its death. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && end("SIGTERM"), 500).unref();
}

function fail(text, code = 1) {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
