import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfChanged } from "./build.ts";

const build = await buildIfChanged();
process.env.NODE_ENV = "production";
process.env.LOG_LEVEL ??= "warn";
await import(pathToFileURL(path.join(build, "server/shop.js")).href);
