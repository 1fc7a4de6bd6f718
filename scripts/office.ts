import { once } from "node:events";
import type { RequestListener } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

// The back office's process. The shop's process (app/infra/office.server.ts) starts it and sends the settings, such as
// the database's address.
type Office = typeof import("../office/server.ts");

process.once("disconnect", () => process.exit(0)); // the shop may end before the office listens
const [settings] = await once(process, "message");
Object.assign(process.env, settings);
if (process.env.NODE_ENV === "development") await develop();
else await open(process.env.IREPO_BUILD ?? "");

async function open(build: string): Promise<void> {
  const folder = path.join(build, "office");
  const { start } = (await import(pathToFileURL(path.join(folder, "server/server.js")).href)) as Office;
  await start({ clientFiles: path.join(folder, "client"), shopFiles: path.join(build, "client") });
}

async function develop(): Promise<void> {
  process.env.IREPO_APP = "office";
  const { createServer } = await import("vite");
  const vite = await createServer({
    server: { middlewareMode: true, ws: { port: 24679 } },
    appType: "custom",
    cacheDir: "node_modules/.vite-office",
  });
  const { start } = (await vite.ssrLoadModule("./office/server.ts")) as Office;
  const around =
    (listener: RequestListener): RequestListener =>
    (request, response) =>
      vite.middlewares(request, response, () => listener(request, response));
  await start({ clientFiles: "public", shopFiles: "public", around });
}
