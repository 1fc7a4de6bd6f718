import { createServer } from "vite";

// The same server, loaded through Vite: pages and styles change as files are saved.
process.env.NODE_ENV = "development";
const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });
const { start } = (await vite.ssrLoadModule("./server.ts")) as typeof import("../server.ts");
await start({
  clientFiles: "public",
  around: (listener) => (request, response) => vite.middlewares(request, response, () => listener(request, response)),
});
