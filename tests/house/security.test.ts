import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT, shipped } from "./sources.ts";

// What of docs/security.md can be seen in the sources alone.

const filesWith = (pattern: RegExp) =>
  shipped
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .sort();

test("S37 no page listens to messages of other windows", () => {
  expect(filesWith(/addEventListener\(\s*"message"|\bwindow\.onmessage/)).toEqual([
    "app/ui/frame/offline-bar.tsx", // its own service worker
    "sandbox/pages.ts", // the stand-in of the provider's popup
  ]);
});

test("S49 markup is written as it is in three places", () => {
  expect(filesWith(/dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML|document\.write\(/)).toEqual([
    "app/routes/home.tsx", // what React has rendered
    "app/routes/layout.tsx", // the same
    "app/routes/product.tsx", // JSON-LD without "<"
  ]);
});

test("S54 the shop speaks to others, its database aside, in five places, each to whom a setting names", () => {
  const clients = /"(?:node:https|undici|openid-client|nodemailer|@aws-sdk\/[^"]+|@opentelemetry\/exporter[^"]*)"/;
  const opening = /\b(?:http|https|net|tls)\.(?:get|request|connect)\(|\bnew WebSocket\(/;
  const found = filesWith(new RegExp(`${clients.source}|${opening.source}`)).filter((file) => file.startsWith("app/"));
  expect(found).toEqual([
    "app/account/google/open-id.server.ts",
    "app/infra/http/client.server.ts",
    "app/infra/mail.server.ts",
    "app/infra/object-store/bucket.server.ts",
    "app/infra/tracing/open-telemetry.server.ts",
  ]);
});

test("S54 on the server nothing is fetched by the platform's client, which follows redirects", () => {
  expect(filesWith(/(?<![.\w])fetch\(/).filter((file) => /^(?:app|office)\/.*\.server\.tsx?$/.test(file))).toEqual([]);
});

test("S66 pages are rendered by react-dom/server: nothing of server components is there", () => {
  const lock = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as { packages: object };
  const rendering = /react-server-dom|plugin-rsc/;
  expect(Object.keys(lock.packages).filter((name) => rendering.test(name))).toEqual([]);
  expect(filesWith(/^\s*["']use server["']/m)).toEqual([]);
});
