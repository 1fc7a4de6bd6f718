import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";
import { db } from "#app/infra/database/db.server.ts";
import { accepted } from "../encoding.server.ts";
import { keptAsset } from "./kept-assets.server.ts";

const CACHE_CONTROL = { immutable: "public, max-age=31536000, immutable", hour: "public, max-age=3600" };

/** Scripts and styles of this build, of those before it on this machine, and of those that other machines run. */
export function serveAssets(clientFiles: string): MiddlewareHandler[] {
  return [assets(clientFiles), assetsOfOtherBuilds(clientFiles), assetsOfOtherMachines];
}

const assetsOfOtherMachines: MiddlewareHandler = async (c, next) => {
  const name = c.req.path.slice("/assets/".length);
  const brotli = await keptAsset(db(), name);
  if (!brotli) return next();
  const isAccepted = accepted(c.req.header("accept-encoding"), "many") === "br";
  setCaching(c, "immutable");
  c.header("Vary", "Accept-Encoding");
  c.header("Content-Type", getMimeType(name));
  if (isAccepted) c.header("Content-Encoding", "br");
  return c.body(new Uint8Array(isAccepted ? brotli : await decompress(brotli)));
};

const decompress = promisify(brotliDecompress);

/** The other files that browsers load as they are. Their names are read once, so that no page waits for a look into the folder. */
export function serveFiles(clientFiles: string): MiddlewareHandler {
  const names = namesIn(clientFiles);
  const file = serveStatic({ root: clientFiles, onFound: (_, c) => setCaching(c, "hour") });
  return (c, next) => (names.has(c.req.path) ? file(c, next) : next());
}

function namesIn(folder: string): Set<string> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return new Set(names.map((name) => `/${name.split(path.sep).join("/")}`));
}

function assets(root: string): MiddlewareHandler {
  return serveStatic({ root, precompressed: true, onFound: (_, c) => setCaching(c, "immutable") });
}

/** A page that was opened before an update asks for its own build's files: they lie beside this one's (scripts/build.ts), each under a name of its own. */
function assetsOfOtherBuilds(clientFiles: string): MiddlewareHandler {
  const builds = path.resolve(clientFiles, "../..");
  return async (c, next) => {
    for (const build of await readdir(builds)) {
      if (!COMPLETE_BUILD.test(build)) continue;
      const found = await assets(path.join(builds, build, path.basename(clientFiles)))(c, async () => {});
      if (found) return found;
    }
    return next();
  };
}

/** The name of a build's folder; one that is still being made has another. */
const COMPLETE_BUILD = /^[0-9a-f]{16}$/;

function setCaching(c: Context, how: keyof typeof CACHE_CONTROL): void {
  c.header("Cache-Control", CACHE_CONTROL[how]);
  if (how === "immutable") c.header("Last-Modified", undefined); // nobody ever asks whether it still holds
}
