import { createServer } from "vite";
import { askedToEnd } from "./ending.ts";

// The same server as in production, but loaded through Vite: pages and styles change as files are saved.
const ending = askedToEnd();
process.env.NODE_ENV = "development";
const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });
const { start } = (await vite.ssrLoadModule("./server.ts")) as typeof import("../server.ts");
await start({
  clientFiles: "public",
  ending: ending.signal,
  around: (listener) => (request, response) => vite.middlewares(request, response, () => listener(request, response)),
});
