import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { MINUTE } from "#app/infra/durations.ts";
import { crontabIn } from "#tests/machines/crontab.ts";
import { startProcess, untilAnswered } from "#tests/machines/processes.ts";
import { environmentOf, readUnit, writableFolders } from "#tests/machines/systemd-unit.ts";
import { freePort } from "#tests/support/free-port.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import type { Drill } from "./drill.ts";
import { buy } from "./one-shop.ts";

// A server set up as docs/running.md says, in its own mount namespace: the units' commands run as their user, with
// their environment and their read-only paths, beside a real cron. systemd itself only checks the units, since it could
// run them only as the machine's first process.

let opened = 0;
const UID = 990;
const ROOT = "/srv/irepo";
const HOME = "/var/lib/irepo";
const ENGINES = ["unshare", "nsenter", "setpriv", "cron", "systemd-analyze", "git"];

/** The required programs that are not installed, and root if this user is not root. */
export function missingForServer(): string[] {
  const missing = ENGINES.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0);
  return process.getuid?.() === 0 ? missing : [...missing, "root"];
}

type Server = {
  /** The server's folders, as paths outside its namespace. */
  outside: { lib: string; backups: string; checkout: string; logs: string };
  command(words: string[]): string[];
  /** The command line of a unit. */
  unit(name: string): string[];
  port: number;
};

export async function playServer(drill: Drill): Promise<void> {
  const { step, goal, say } = drill;
  const verified = spawnSync("systemd-analyze", ["verify", ...units()], { encoding: "utf8" });
  goal("systemd finds no fault in the units", verified.stderr === "", verified.stderr.trim());
  const server = await step(
    "a server: a checkout of this commit, a user irepo, settings with comments behind them",
    () => makeServer(drill),
  );
  await step("irepo-setup.service installs and builds", async () => say(run(server, "irepo-setup")));
  goal("the shop's unit may not write to its own files", !mayWrite(server, "irepo", `${ROOT}/app`));
  const url = `http://localhost:${server.port}`;
  let shop = await step("irepo.service starts", () => serve(drill, server));
  const customer = await newCustomer({ url, dataDir: server.outside.lib }, "ada@example.com");
  goal("it sells", Boolean(await step("an order is bought", () => buy(customer))));
  const status = inside(server, ["sh", "-c", `cd ${ROOT} && npm run --silent shop -- status`], asUser());
  goal("the owner's commands speak of the same shop", /^orders to send +1,/m.test(status), status.split("\n")[0]);
  await step("irepo-backup.service", async () => say(run(server, "irepo-backup")));
  goal("it has made a backup", backups(server).length === 1, backups(server).join());
  await step("cron runs the documents' crontab, each line at the next minute", () => runCron(drill, server));
  goal("cron has made another", backups(server).length >= 2, backups(server).join());
  const log = readFileSync(path.join(server.outside.lib, "cron.log"), "utf8");
  goal("cron's check agrees", log.includes("Everything agrees."), log.trim().split("\n").at(-1));
  appendFileSync(path.join(server.outside.checkout, "app/messages.ts"), "\n");
  await step("a source changes; the unit is restarted: setup builds", async () => {
    shop.signal("SIGTERM");
    await shop.ended;
    say(run(server, "irepo-setup"));
    shop = await serve(drill, server);
  });
  goal("it is open with the new build", (await fetch(url)).ok);
  goal(
    "the build before is kept, for open pages",
    readdirSync(path.join(server.outside.checkout, "build")).length === 2,
  );
  shop.signal("SIGTERM");
  await shop.ended;
}

const units = () => readdirSync("deploy/systemd").map((name) => `deploy/systemd/${name}`);
const backups = ({ outside }: Server) => readdirSync(outside.backups).sort();
const asUser = () => ["setpriv", `--reuid=${UID}`, `--regid=${UID}`, "--clear-groups"];

async function makeServer({ afterwards }: Drill): Promise<Server> {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-server-"));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const [checkout, lib, kept, cache, etc] = ["checkout", "lib", "backups", "cache", "etc"].map((name) =>
    path.join(folder, name),
  ) as [string, string, string, string, string];
  for (const place of [lib, kept, cache, etc]) mkdirSync(place);
  execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${process.cwd()}`, checkout]);
  const port = await freePort();
  writeFileSync(path.join(checkout, ".env"), await settings(port), { mode: 0o600 });
  execFileSync("chown", ["-R", `${UID}:${UID}`, checkout, lib, kept, cache]);
  execFileSync("chmod", ["755", folder]);
  for (const [name, line] of [
    ["passwd", `irepo:x:${UID}:${UID}::${HOME}:/bin/sh`],
    ["group", `irepo:x:${UID}:`],
    ["shadow", "irepo:*:20000:0:99999:7:::"],
  ])
    writeFileSync(path.join(etc, name ?? ""), `${readFileSync(`/etc/${name}`, "utf8").trimEnd()}\n${line}\n`);
  const first = spawn("unshare", ["--mount", "sleep", "infinity"], { stdio: "ignore" });
  afterwards(async () => {
    first.kill("SIGKILL");
    await once(first, "exit");
  });
  const own = readlinkSync("/proc/self/ns/mnt");
  await untilAnswered(async () => readlinkSync(`/proc/${first.pid}/ns/mnt`) !== own, "the namespace");
  const server: Server = {
    outside: { checkout, lib, backups: kept, logs: folder },
    command: (words) => ["nsenter", `--target=${first.pid}`, "--mount", "--", ...words],
    unit: (name) => commandOf(server, name),
    port,
  };
  inside(server, ["sh", "-ec", MOUNTS, "mounts", folder, own], []);
  return server;
}

async function settings(port: number): Promise<string> {
  return [
    `PORT=${port}                    # behind the proxy`,
    `SANDBOX_PORT=${await freePort()}`,
    "OFFICE_PORT=0                   # none here",
    `DATA_DIR=${HOME}           # what must survive`,
    "WEB_CONCURRENCY=1               # one per core",
    "SHOP_TIMEZONE=Africa/Lagos      # of the owner's commands",
    "DEMO_PAST=off                   # what is sold here is counted",
    "",
  ].join("\n");
}

const MOUNTS = `
[ "$(readlink /proc/self/ns/mnt)" != "$2" ]
mount --make-rprivate /
for place in /srv /var/lib /var/cache /var/backups /var/spool/cron /run; do mount -t tmpfs -o mode=755 tmpfs $place; done
mkdir -p /srv/irepo /var/lib/irepo /var/cache/irepo /var/backups/irepo /var/spool/cron/crontabs
mount --bind "$1/checkout" /srv/irepo
mount --bind "$1/lib" /var/lib/irepo
mount --bind "$1/cache" /var/cache/irepo
mount --bind "$1/backups" /var/backups/irepo
for file in passwd group shadow; do mount --bind "$1/etc/$file" /etc/$file; done
`;

/**
 * A shell script that mounts what ProtectSystem=strict and PrivateTmp would, then runs the rest of its command line in
 * the unit's folder.
 */
const STRICT = `
for place in $WRITABLE; do mount --bind $place $place; done
mount -t tmpfs -o mode=1777 tmpfs /tmp
for place in / /srv /srv/irepo /var/lib /var/cache /var/backups /var/spool/cron /run; do
  case " $WRITABLE " in *" $place "*) ;; *) mount -o remount,bind,ro $place ;; esac
done
cd "$1"; shift; exec "$@"
`;

function commandOf(server: Server, name: string): string[] {
  const unit = readUnit(`deploy/systemd/${name}.service`);
  const env = Object.entries({ ...environmentOf(unit, HOME), ...CERTIFICATES }).map(
    ([key, value]) => `${key}=${value}`,
  );
  const sandbox = [
    "env",
    `WRITABLE=${writableFolders(unit).join(" ")}`,
    "unshare",
    "--mount",
    "sh",
    "-ec",
    STRICT,
    "unit",
  ];
  const as = [...asUser(), "--no-new-privs", "--bounding-set=-all", "env", "-i", ...env];
  return server.command([...sandbox, unit.one("WorkingDirectory"), ...as, ...unit.one("ExecStart").split(" ")]);
}

/** A registry may be reachable only through a proxy with certificates of its own. */
const { NODE_EXTRA_CA_CERTS } = process.env;
const CERTIFICATES: Record<string, string> = NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {};

/** Runs a oneshot unit. Returns the last line of its output; throws if it fails. */
function run(server: Server, name: string): string {
  const [program = "", ...words] = server.unit(name);
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${name}.service ended with ${status}:\n${stdout}${stderr}`);
  return stdout.trim().split("\n").at(-1) ?? "";
}

async function serve({ afterwards }: Drill, server: Server) {
  const logFile = path.join(server.outside.logs, "unit.log");
  const [program = "", ...words] = server.unit("irepo");
  const shop = startProcess(program, words, { logFile });
  afterwards(shop.kill);
  const isOpen = async () => readFileSync(logFile, "utf8").split("Irepo is open").length > opened + 1;
  await untilAnswered(isOpen, "the shop is open", { within: 5 * MINUTE, logFile });
  opened++;
  return shop;
}
function mayWrite(server: Server, name: string, place: string): boolean {
  const words = server.unit(name);
  const at = words.indexOf("-i");
  const [program = "", ...rest] = [...words.slice(0, at + 1), "PATH=/usr/bin:/bin", "touch", `${place}/written`];
  return spawnSync(program, rest).status === 0;
}

function inside(server: Server, words: string[], as: string[]): string {
  const home = as.length > 0 ? ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", `HOME=${HOME}`] : [];
  const [program = "", ...rest] = server.command([...as, ...home, ...words]);
  return execFileSync(program, rest, { encoding: "utf8" });
}

/** Runs cron with the crontab of docs/running.md. Only the times differ: every job runs every minute. */
async function runCron({ afterwards }: Drill, server: Server): Promise<void> {
  const crontab = crontabIn(readFileSync("docs/running.md", "utf8")).replaceAll(
    /^\d+ (\d+|\*) \* \* \*/gm,
    "* * * * *",
  );
  const file = "/var/spool/cron/crontabs/irepo";
  const place = [
    "sh",
    "-ec",
    `printf '%s' "$1" > ${file} && chown ${UID} ${file} && chmod 600 ${file}`,
    "cron",
    crontab,
  ];
  inside(server, place, []);
  const [program = "", ...words] = server.command(["cron", "-f"]);
  const cron = startProcess(program, words, { logFile: path.join(server.outside.logs, "cron.log") });
  afterwards(cron.kill);
  const log = path.join(server.outside.lib, "cron.log");
  const said = () => (statSync(log, { throwIfNoEntry: false }) ? readFileSync(log, "utf8") : "");
  const isDone = async () => said().includes(" holds ") && said().includes("agrees");
  await untilAnswered(isDone, "what cron runs", { within: 10 * MINUTE, logFile: log });
  await cron.kill();
}
