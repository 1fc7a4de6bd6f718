import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfChanged } from "./build.ts";

buildIfChanged();
process.env.NODE_ENV = "production";
const { start } = (await import(
  pathToFileURL(path.resolve("build/server/server.js")).href
)) as typeof import("../server.ts");
await start();
