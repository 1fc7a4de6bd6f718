import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { startPostgres } from "#app/infra/database/postgres.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { startProcess, untilAnswered } from "#tests/machines/processes.ts";
import { freePort } from "#tests/support/free-port.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { newDataDir } from "#tests/support/running-shop.ts";
import type { Drill } from "./drill.ts";
import { buy } from "./one-shop.ts";

// buildah runs the Containerfile's steps, with secrets lying about in the checkout, on a base of Debian's packages with
// this machine's Node and npm, so that no registry of images is needed. Then the image is started with a read-only
// root, its own user, environment and command, and /tmp as the only writable place.

const ENGINES = ["buildah", "debootstrap", "git", "unshare"];
const BASE = "localhost/irepo-drill-base";
const IMAGE = "localhost/irepo-drill";
const SECRET = "a-secret-of-the-drill";
const SECRETS = [
  ".env",
  "deploy/.env",
  "app/.env.local",
  "scripts/live.pem",
  "data/postgres-password",
  "irepo-2026-01-31T02-10-00Z.backup",
];
const MIRROR = "http://deb.debian.org/debian";

/** The required programs that are not installed, and root if this user is not root. */
export function missingForImage(): string[] {
  const missing = ENGINES.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0);
  return process.getuid?.() === 0 ? missing : [...missing, "root"];
}

type Buildah = (...words: string[]) => string;

export async function playImage(drill: Drill): Promise<void> {
  const { step, goal, afterwards } = drill;
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-image-"));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const root = await buildImage(drill, folder);
  const found = spawnSync("grep", ["-rl", SECRET, path.join(root, "irepo")], { encoding: "utf8" }).stdout.trim();
  goal("none of the secrets is in the image", found === "", found);
  const listed = readdirSync(path.join(root, "irepo")).sort();
  goal("nothing is in it but what the shop runs on", !listed.some((name) => !RUNS_ON.includes(name)), listed.join(" "));
  const port = await freePort();
  const shop = await step("the image starts, read-only", () => startImage(drill, root, folder, port));
  const customer = await newCustomer(
    { url: `http://localhost:${port}`, dataDir: `${folder}/tmp/data` },
    "ada@example.com",
  );
  goal("it sells", Boolean(await step("an order is bought through the sandbox", () => buy(customer))));
  shop.signal("SIGTERM");
  await shop.ended;
}

const RUNS_ON = [
  "app",
  "build",
  "db",
  "decode-pictures.ts",
  "make-pictures.ts",
  "node_modules",
  "package.json",
  "sandbox",
  "scripts",
];

/** Builds the image. Returns the folder of its files. */
async function buildImage({ step, afterwards }: Drill, folder: string): Promise<string> {
  const storage = [
    "--root",
    path.join(folder, "storage"),
    "--runroot",
    path.join(folder, "run"),
    "--storage-driver=vfs",
  ];
  const buildah: Buildah = (...words) =>
    execFileSync("buildah", [...storage, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
  await step("a base is made of Debian's packages", async () => makeBase(path.join(folder, "base"), buildah));
  const checkout = path.join(folder, "checkout");
  execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${process.cwd()}`, checkout]);
  for (const name of SECRETS) {
    mkdirSync(path.dirname(path.join(checkout, name)), { recursive: true });
    writeFileSync(path.join(checkout, name), SECRET);
  }
  const bases = ["NODE_IMAGE", "DEBIAN_IMAGE"].map((name) => `--build-arg=${name}=${BASE}`);
  const how = ["--isolation=chroot", "--network=host", "--pull-never", ...bases];
  await step("the Containerfile's steps, with secrets in the checkout", async () =>
    buildah("build", ...how, "--file", path.join(checkout, "Containerfile"), "--tag", IMAGE, checkout),
  );
  const container = buildah("from", "--pull-never", IMAGE);
  const root = buildah("mount", container);
  afterwards(() => void buildah("umount", container));
  const { OCIv1 } = z
    .object({ OCIv1: z.object({ config: IMAGE_CONFIG }) })
    .parse(JSON.parse(buildah("inspect", IMAGE)));
  writeFileSync(path.join(folder, "config.json"), JSON.stringify(OCIv1.config));
  return root;
}

const IMAGE_CONFIG = z.object({
  User: z.string(),
  Env: z.array(z.string()),
  Entrypoint: z.array(z.string()),
  Cmd: z.array(z.string()),
  WorkingDir: z.string(),
});

/**
 * Makes the base image. It trusts the same certificates as this machine, since the packages may come through a proxy
 * with its own certificates.
 */
function makeBase(folder: string, buildah: Buildah): void {
  // A separate mount namespace, so that debootstrap's mounts vanish with it.
  const debootstrap = ["debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", folder, MIRROR];
  execFileSync("unshare", ["--mount", ...debootstrap], { stdio: ["ignore", "ignore", "inherit"] });
  const npm = path.resolve(process.env.npm_execpath ?? "", "../..");
  mkdirSync(path.join(folder, "usr/lib/node_modules"), { recursive: true });
  cpSync(npm, path.join(folder, "usr/lib/node_modules/npm"), { recursive: true });
  cpSync(process.env.npm_node_execpath ?? "", path.join(folder, "usr/bin/node"));
  for (const name of ["npm", "npx"])
    execFileSync("ln", ["-s", `../lib/node_modules/npm/bin/${name}-cli.js`, path.join(folder, "usr/bin", name)]);
  const certificates = "etc/ssl/certs/ca-certificates.crt";
  cpSync(`/${certificates}`, path.join(folder, certificates), { dereference: true });
  const base = buildah("from", "scratch");
  buildah("copy", base, folder, "/");
  buildah("config", "--env", `NODE_EXTRA_CA_CERTS=/${certificates}`, base);
  buildah("commit", "--rm", base, BASE);
}

const READ_ONLY = `
mount --bind "$1" "$1"
mount --bind "$2" "$1/tmp"
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
mount -o remount,bind,ro "$1"
root=$1; user=$3; place=$4; shift 4
exec chroot --userspec="$user:$user" "$root" sh -c 'cd "$0" && exec "$@"' "$place" "$@"
`;

async function startImage({ afterwards }: Drill, root: string, folder: string, port: number) {
  const dataDir = newDataDir();
  const database = await startPostgres(dataDir);
  afterwards(async () => {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const tmp = path.join(folder, "tmp");
  mkdirSync(tmp);
  for (const place of [folder, tmp]) chmodSync(place, place === tmp ? 0o1777 : 0o755);
  const { User, Env, Entrypoint, Cmd, WorkingDir } = IMAGE_CONFIG.parse(
    JSON.parse(readFileSync(path.join(folder, "config.json"), "utf8")),
  );
  const settings = [`PORT=${port}`, `SANDBOX_PORT=${await freePort()}`, "OFFICE_PORT=0", "DATA_DIR=/tmp/data"];
  const env = ["env", "-i", ...Env, ...settings, `DATABASE_URL=${database.url}`];
  const logFile = path.join(folder, "image.log");
  const inside = ["sh", "-ec", READ_ONLY, "image", root, tmp, User, WorkingDir];
  const shop = startProcess("unshare", ["--mount", ...inside, ...env, ...Entrypoint, ...Cmd], { logFile });
  afterwards(shop.kill);
  const isOpen = async () => readFileSync(logFile, "utf8").includes("Irepo is open");
  await untilAnswered(isOpen, "the image is open", { within: 5 * MINUTE, logFile });
  return shop;
}
