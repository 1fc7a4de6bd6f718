import { existsSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { serveStatic } from "@hono/node-server/serve-static";
import type { MiddlewareHandler } from "hono";
import { getMimeType } from "hono/utils/mime";
import { db } from "#app/infra/database/db.server.ts";
import { accepted } from "../encoding.server.ts";
import { isRangeMeant, isUnchanged } from "./conditional.ts";
import { keptAsset } from "./kept-assets.server.ts";
import { validatorsOf } from "./validators.server.ts";

const CACHE_CONTROL = { immutable: "public, max-age=31536000, immutable", hour: "public, max-age=3600" };

/** Serves scripts and styles of this build, of earlier builds on this machine, and of builds on other machines. */
export function serveAssets(clientFiles: string): MiddlewareHandler[] {
  return [buildAssets(clientFiles), assetsOfOtherBuilds(clientFiles), assetsOfOtherMachines];
}

const assetsOfOtherMachines: MiddlewareHandler = async (c, next) => {
  const name = c.req.path.slice("/assets/".length);
  const brotli = await keptAsset(db(), name);
  if (!brotli) return next();
  const isAccepted = accepted(c.req.header("accept-encoding"), "many") === "br";
  c.header("Cache-Control", CACHE_CONTROL.immutable);
  c.header("Vary", "Accept-Encoding");
  c.header("Content-Type", getMimeType(name));
  if (isAccepted) c.header("Content-Encoding", "br");
  return c.body(new Uint8Array(isAccepted ? brotli : await decompress(brotli)));
};

const decompress = promisify(brotliDecompress);

/**
 * Serves the other static files. Their names are read once, so that no page waits for the file system. A file may
 * change under the same name: after an hour browsers ask whether their copy is still valid.
 */
export function serveFiles(clientFiles: string): MiddlewareHandler {
  const names = fileNames(clientFiles);
  const file = serveStatic({ root: clientFiles });
  return async (c, next) => {
    const known = names.has(c.req.path) && (await validatorsOf(path.join(clientFiles, c.req.path)));
    if (!known) return next();
    const asked = c.req.raw.headers;
    const cacheHeaders = { "Cache-Control": CACHE_CONTROL.hour, ETag: known.etag, "Last-Modified": known.lastModified };
    if (isUnchanged(asked, known)) return c.body(null, 304, cacheHeaders);
    if (!isRangeMeant(asked, known)) asked.delete("Range");
    const answer = await file(c, async () => {});
    if (!answer) return next();
    setHeaders(answer, cacheHeaders);
    return answer;
  };
}

function setHeaders(answer: Response, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
}

/** The URL paths of all files in a folder. */
export function fileNames(folder: string): Set<string> {
  const all = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const files = all.filter((entry) => !entry.isDirectory());
  const names = files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)));
  return new Set(names.map((name) => `/${name.split(path.sep).join("/")}`));
}

const FILE_NAME = /^\/\.well-known\/|\.(?!(?:data|html?|php|aspx?)$)\w+$/i;

/**
 * Whether a path names a file and not a page: programs request it, so nobody would read a page that says that it is
 * missing.
 */
export function namesFile(urlPath: string): boolean {
  return FILE_NAME.test(urlPath);
}

/** Serves the scripts and styles of one build, compressed if the client accepts that. */
export function buildAssets(root: string): MiddlewareHandler {
  const file = serveStatic({ root, precompressed: true });
  return async (c, next) => {
    const asked = c.req.raw.headers;
    const encodings = asked.get("Accept-Encoding") ?? "";
    // The library does not read weights, so it gets only the preferred encoding.
    if (HAS_WEIGHTS.test(encodings)) asked.set("Accept-Encoding", accepted(encodings, "many"));
    if (asked.has("If-Range")) asked.delete("Range"); // without a validator, no version can be named
    const answer = await file(c, async () => {});
    if (!answer) return next();
    answer.headers.delete("Last-Modified"); // these files never change, so no client revalidates them
    setHeaders(answer, {
      "Cache-Control": CACHE_CONTROL.immutable,
      ...(COMPRESSED.test(c.req.path) && { Vary: "Accept-Encoding" }),
    });
    return answer;
  };
}

const HAS_WEIGHTS = /[;*A-Z]/;
const COMPRESSED = /\.(js|css)$/;

/**
 * Serves pages that were opened before an update: the files of their build lie in a folder beside this build's
 * (scripts/build.ts).
 */
function assetsOfOtherBuilds(clientFiles: string): MiddlewareHandler {
  const builds = path.resolve(clientFiles, "../..");
  return async (c, next) => {
    for (const build of await readdir(builds)) {
      if (!COMPLETE_BUILD.test(build)) continue;
      const found = await buildAssets(path.join(builds, build, path.basename(clientFiles)))(c, async () => {});
      if (found) return found;
    }
    return next();
  };
}

/** The name of a complete build's folder; an unfinished one has another form. */
const COMPLETE_BUILD = /^[0-9a-f]{16}$/;
