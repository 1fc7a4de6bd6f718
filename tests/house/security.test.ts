import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, shipped } from "./sources.ts";

// The claims of docs/security.md that the sources alone can prove.

const filesWith = (pattern: RegExp) =>
  shipped
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .sort();

test("S37 no page listens to messages of other windows", () => {
  expect(filesWith(/addEventListener\(\s*"message"|\bwindow\.onmessage/)).toEqual([
    "app/ui/frame/offline-bar.tsx", // messages of its own service worker
    "sandbox/pages.ts", // the sandbox's copy of the provider's popup
  ]);
});

test("S49 markup is written as it is in three places", () => {
  expect(filesWith(/dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML|document\.write\(/)).toEqual([
    "app/catalog/json-ld.tsx", // JSON-LD without "<"
    "app/routes/home.tsx", // markup that React has rendered
    "app/ui/frame/notice-bar.tsx", // markup that React has rendered
  ]);
});

/** The payment sandbox is a separate program, only for the demo. */
const isOfTheShop = (file: string) => !file.startsWith("sandbox/");

const SOCKETS = `["'](?:node:)?(?:http|https|http2|net|tls|dgram)["']`;
const SOCKET_IMPORT = new RegExp(String.raw`import\s+(?!type\b)([^;"']+?)\s+from\s+${SOCKETS}`, "g");
const OPENS =
  /^[\w*]|\b(?:get|request|connect|createConnection|createSocket|Agent|ClientRequest|Socket|TLSSocket|default)\b/;
const LOADED = new RegExp(String.raw`\b(?:import|require|getBuiltinModule)\(\s*${SOCKETS}|\bnew WebSocket\(`);
const CLIENTS = /["'](?:undici|ws|openid-client|nodemailer|@aws-sdk\/[^"']+|@opentelemetry\/exporter[^"']*)["'/]/;

/**
 * Whether a module can open a connection: it imports what opens connections from one of Node's modules, as a whole or
 * by name, or imports a package that does so.
 */
function speaksToOthers(text: string): boolean {
  const taken = [...text.matchAll(SOCKET_IMPORT)].map(([, names = ""]) => names.replace(/\btype \w+/g, ""));
  return LOADED.test(text) || CLIENTS.test(text) || taken.some((names) => OPENS.test(names));
}

test.each([
  ['import { request } from "node:http";', true],
  ['import { type Socket, connect as to } from "node:net";', true],
  ['import http, { createServer } from "node:http";', true],
  ['import * as tls from "node:tls";', true],
  ['const { get } = await import("node:https");', true],
  ['import { Agent } from "undici";', true],
  ['import { createServer, type Server } from "node:http";', false],
  ['import type { Socket } from "node:net";', false],
  ['import { isIP, type Socket } from "node:net";', false],
])("S54 %s speaks to others: %s", (line, does) => {
  expect(speaksToOthers(line)).toBe(does);
});

test("S54 the shop speaks to others, its database aside, in five places, each to whom a setting names", () => {
  const found = shipped.filter(({ file, text }) => isOfTheShop(file) && speaksToOthers(text)).map(({ file }) => file);
  expect(found.sort()).toEqual([
    "app/account/google/open-id.server.ts",
    "app/infra/http/client.server.ts",
    "app/infra/mail.server.ts",
    "app/infra/object-store/bucket.server.ts",
    "app/infra/tracing/open-telemetry.server.ts",
  ]);
});

test("S54 on the server nothing is fetched by the platform's client, which follows redirects, unless it is told not to", () => {
  // Browser scripts request only paths of the shop itself.
  const fetching = filesWith(/(?:(?<![.\w])|globalThis\.)fetch\((?!["`]\/(?!\/))/).filter(
    (file) => isOfTheShop(file) && !file.includes(".browser."),
  );
  expect(fetching).toEqual(["app/account/google/open-id.server.ts"]);
  expect(readFileSync(path.join(ROOT, fetching[0] ?? ""), "utf8")).toContain('redirect: "manual"');
});

test("S66 pages are rendered by react-dom/server: nothing of server components is there", () => {
  const lock = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as { packages: object };
  const rendering = /react-server-dom|plugin-rsc/;
  expect(Object.keys(lock.packages).filter((name) => rendering.test(name))).toEqual([]);
  expect(filesWith(/^\s*["']use server["']/m)).toEqual([]);
});

describe("what docs/security.md says that protects an entry point", () => {
  const [, section = ""] = readFileSync(path.join(ROOT, "docs/security.md"), "utf8").split("## Entry points");
  const rows = (section.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", , protectedBy = ""]) => ({ name, protectedBy }));
  /** A link to a file, and the names after it that must be found in that file. */
  const place = /\]\(\.\.\/([^)]+)\)((?:,? `\w+`)*)/g;

  test.each(rows)("is there by its name: $name", ({ protectedBy }) => {
    const places = [...protectedBy.matchAll(place)];
    expect(places.length).toBeGreaterThan(0);
    for (const [, file = "", behind = ""] of places) {
      const names = [...behind.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
      expect(names.length, `${file}: the name of what protects`).toBeGreaterThan(0);
      const text = readFileSync(path.join(ROOT, file), "utf8");
      expect(
        names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)),
        file,
      ).toEqual([]);
    }
  });
});
