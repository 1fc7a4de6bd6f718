import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfChanged } from "./build.ts";

// Several web processes begin here too, and inherit this: all run the build that the shop was started with.
const build = await buildIfChanged();
process.env.IREPO_BUILD = build;
process.env.NODE_ENV = "production";
const { start } = (await import(
  pathToFileURL(path.join(build, "server/server.js")).href
)) as typeof import("../server.ts");
await start({ clientFiles: path.join(build, "client") });
