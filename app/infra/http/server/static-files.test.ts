import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, describe, expect, test } from "vitest";
import { buildAssets, namesFile, serveFiles } from "./static-files.server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "irepo-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A build with one font, written at this time. */
function buildWith(name: string, text: string, written: string) {
  const client = path.join(folder, name);
  mkdirSync(path.join(client, "fonts"), { recursive: true });
  const file = path.join(client, "fonts/text.woff2");
  writeFileSync(file, text);
  utimesSync(file, new Date(written), new Date(written));
  const app = new Hono().get("*", serveFiles(client));
  return (headers: Record<string, string> = {}, method = "GET") =>
    app.request("/fonts/text.woff2", { headers, method });
}

const [EARLIER, LATER] = ["Sun, 22 Nov 2026 10:00:00 GMT", "Mon, 23 Nov 2026 10:00:00 GMT"];
const ask = buildWith("first", "as it was", EARLIER);
const askLater = buildWith("second", "as it was", LATER);
const askChanged = buildWith("third", "otherwise", LATER);
const tagOf = async (answer: Promise<Response> | Response) => (await answer).headers.get("ETag") ?? "";

describe("55 a file whose name stays the same in each build", () => {
  test("55 has an ETag of its content, which changes only with the content", async () => {
    expect(await tagOf(ask())).toMatch(/^"[\w-]{27}"$/);
    expect(await tagOf(askLater())).toBe(await tagOf(ask()));
    expect(await tagOf(askChanged())).not.toBe(await tagOf(ask()));
  });

  test.each(["GET", "HEAD"])("55 is not sent again to a client that has it: %s", async (method) => {
    const etag = await tagOf(ask());
    for (const [name, version] of [
      ["If-None-Match", etag],
      ["If-Modified-Since", EARLIER],
    ] as const) {
      const answer = await ask({ [name]: version }, method);
      expect([answer.status, await answer.text(), await tagOf(answer)]).toEqual([304, "", etag]);
      expect(answer.headers.get("Cache-Control")).toBe("public, max-age=3600");
      expect(answer.headers.get("Last-Modified")).toBe(EARLIER);
    }
    expect((await askChanged({ "If-None-Match": etag }, method)).status).toBe(200);
    expect((await askChanged({ "If-Modified-Since": EARLIER }, method)).status).toBe(200);
  });

  test("55 resumes where it broke off, but never with the rest of another version", async () => {
    const etag = await tagOf(ask());
    const rest = async (answer: Response | Promise<Response>) => [(await answer).status, await (await answer).text()];
    const Range = "bytes=3-";
    expect(await rest(ask({ Range }))).toEqual([206, "it was"]);
    for (const version of [etag, EARLIER]) {
      expect(await rest(ask({ Range, "If-Range": version }))).toEqual([206, "it was"]);
      expect(await rest(askChanged({ Range, "If-Range": version }))).toEqual([200, "otherwise"]);
    }
  });
});

describe("56 scripts and styles", () => {
  const text = "/* a style */".repeat(200);
  const assets = path.join(folder, "build/assets");
  mkdirSync(assets, { recursive: true });
  writeFileSync(path.join(assets, "look-1.css"), text);
  writeFileSync(path.join(assets, "look-1.css.br"), brotliCompressSync(text));
  writeFileSync(path.join(assets, "look-1.css.gz"), gzipSync(text));
  const app = new Hono().get("/assets/*", buildAssets(path.join(folder, "build")));
  const asset = (headers: Record<string, string>) => app.request("/assets/look-1.css", { headers });

  test.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=1.0, gzip;q=0.8", "br"],
    ["br;q=0.1, gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["*", "br"],
    ["gzip;q=0", null],
    ["identity", null],
  ])("56 are compressed by Accept-Encoding “%s”, with the header Vary", async (taken, encoding) => {
    const { status, headers } = await asset({ "Accept-Encoding": taken });
    expect([status, headers.get("Content-Encoding"), headers.get("Vary")]).toEqual([200, encoding, "Accept-Encoding"]);
    expect(headers.get("Cache-Control")).toContain("immutable");
  });

  test("55 are sent whole to a client with a part of some version", async () => {
    expect((await asset({ Range: "bytes=3-" })).status).toBe(206);
    expect((await asset({ Range: "bytes=3-", "If-Range": EARLIER })).status).toBe(200);
  });
});

test.each([
  ["/favicon.ico", true],
  ["/apple-touch-icon-120x120.png", true],
  ["/.well-known/assetlinks.json", true],
  ["/.well-known/nothing", true],
  ["/fonts/none.woff2", true],
  ["/.env", true],
  ["/", false],
  ["/shop", false],
  ["/shop.data", false],
  ["/_.data", false],
  ["/index.html", false],
  ["/wp-login.php", false],
  ["/v1.2/shop", false],
])("56 a file is asked for by %s: %s", (asked, isFile) => expect(namesFile(asked)).toBe(isFile));
