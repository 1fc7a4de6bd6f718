import path from "node:path";
import { pathToFileURL } from "node:url";
import { VERSION } from "../app/infra/settings/version.server.ts";
import { buildIfChanged } from "./build.ts";
import { askedToEnd } from "./ending.ts";

if (process.argv.includes("--version")) {
  process.stdout.write(`${VERSION}\n`);
  process.exit(0);
}

const ending = askedToEnd();
// The shop's further web processes start with this file, too. They inherit IREPO_BUILD, so that all run the same build.
const build = await buildIfChanged();
process.env.IREPO_BUILD = build;
process.env.NODE_ENV = "production";
const { start } = (await import(
  pathToFileURL(path.join(build, "server/server.js")).href
)) as typeof import("../server.ts");
await start({ clientFiles: path.join(build, "client"), ending: ending.signal });
