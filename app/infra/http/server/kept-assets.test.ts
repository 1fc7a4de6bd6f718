import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { keepAssets } from "./kept-assets.server.ts";
import { serveAssets } from "./static-files.server.ts";

const database = useDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "irepo-builds-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The files of a build on a machine of its own. */
function newBuild(machine: string, names: string[], build = "0123456789abcdef"): string {
  const client = path.join(folder, machine, "build", build, "client");
  mkdirSync(path.join(client, "assets"), { recursive: true });
  for (const name of names) {
    writeFileSync(path.join(client, "assets", name), `// ${name}`);
    writeFileSync(path.join(client, "assets", `${name}.br`), brotliCompressSync(`// ${name}`));
  }
  return client;
}

/** The instance that has `build`. */
function instance(build: string): Hono {
  const app = new Hono();
  for (const assets of serveAssets(build)) app.get("/assets/*", assets);
  return app;
}

const first = newBuild("first", ["shared-1.js", "page-1.js", "look-1.css"]);
const second = newBuild("second", ["shared-1.js", "page-2.js", "look-2.css"]);

test("an instance serves the files of another machine's build, compressed or not, to be cached for a year", async () => {
  await Promise.all([first, second, first, second].map((build) => keepAssets(database.db(), build)));
  for (const [build, name, type] of [
    [first, "page-2.js", "text/javascript"],
    [second, "look-1.css", "text/css"],
  ] as const) {
    for (const encoding of ["br", "identity"]) {
      const answer = await instance(build).request(`/assets/${name}`, { headers: { "accept-encoding": encoding } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect((encoding === "br" ? brotliDecompressSync(bytes) : bytes).toString()).toBe(`// ${name}`);
      expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
        200,
        expect.objectContaining({
          "cache-control": "public, max-age=31536000, immutable",
          "content-type": expect.stringContaining(type),
          vary: "Accept-Encoding",
        }),
      ]);
      expect(answer.headers.get("content-encoding")).toBe(encoding === "br" ? "br" : null);
    }
  }
  const none = await instance(first).request("/assets/page-3.js");
  expect([none.status, none.headers.get("cache-control")]).toEqual([404, null]);
});

test("an instance serves the files of neighbouring builds, and nothing outside of their folders", async () => {
  newBuild("first", ["page-0.js"], "fedcba9876543210");
  newBuild("first", ["unfinished.js"], "fedcba9876543210.17");
  writeFileSync(path.join(first, "index.html"), "");
  const statusOf = async (name: string) => (await instance(first).request(`/assets/${name}`)).status;
  expect(await statusOf("page-0.js")).toBe(200);
  for (const name of ["unfinished.js", "none.js", "..%2findex.html", "..%2f..%2fclient%2findex.html", "../index.html"])
    expect([name, await statusOf(name)]).toEqual([name, 404]);
});

test("the files of the last five builds are kept, also those that an older one shares with them", async () => {
  const names = Array.from({ length: 6 }, (_, at) => `later-${at}.js`);
  for (const name of names) await keepAssets(database.db(), newBuild(name, ["shared-1.js", name]));
  const kept = await database.db().selectFrom("assets").select("name").orderBy("name").execute();
  expect(kept.map(({ name }) => name)).toEqual([...names.slice(1), "shared-1.js"]);
});
