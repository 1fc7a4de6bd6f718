import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfChanged } from "./build.ts";

const build = await buildIfChanged();
// `setup` is for a shop that may not write to its own files. Nothing is left to do here: scripts/boot.mjs has installed
// the packages, and the build exists.
if (process.argv.slice(2).join(" ") === "setup") {
  process.stdout.write(`Installed and built: ${path.relative(".", build)}\n`);
  process.exit(0);
}
process.env.NODE_ENV = "production";
process.env.LOG_LEVEL ??= "warn";
await import(pathToFileURL(path.join(build, "server/shop.js")).href);
