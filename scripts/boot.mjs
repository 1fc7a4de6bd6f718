// Runs on whatever Node >= 18 the machine has: installs what the lock file says, then hands over to the project's own Node.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const node = path.join(root, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
const stamp = "node_modules/.installed";
const [command, ...rest] = process.argv.slice(2);

install();
run();

function install() {
  const lock = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock && existsSync(node)) return;
  process.stderr.write("Installing what the lock file says (only when it has changed) ...\n");
  const npm = process.env.npm_execpath;
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = npm
    ? spawnSync(process.execPath, [npm, ...args], { stdio: ["ignore", 2, 2] })
    : spawnSync("npm", args, { stdio: ["ignore", 2, 2], shell: true });
  if (done.status !== 0) fail("The installation failed; the reason stands above.");
  if (!existsSync(node))
    fail(
      "The project's own Node is missing: npm must be allowed to run the install script of the package 'node' (ignore-scripts=false).",
    );
  writeFileSync(stamp, lock);
}

function run() {
  const env = {
    NODE_COMPILE_CACHE: path.join(root, "node_modules/.cache/compiled"), // compiling would be half of a start
    ...process.env,
    PATH: `${path.join(root, "node_modules/.bin")}${path.delimiter}${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
  };
  // The channel lets the shop notice when this process is gone, however it ended.
  const child = spawn(node, [path.join("scripts", `${command}.ts`), ...rest], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
