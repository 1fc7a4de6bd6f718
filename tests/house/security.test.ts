import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
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

test("S54 on the server nothing is fetched by the platform's client, which follows redirects, unless it is told not to", () => {
  const fetching = filesWith(/(?<![.\w])fetch\(/).filter((file) => /^(?:app|office)\/.*\.server\.tsx?$/.test(file));
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
  /** A link to a file, and the names in it that stand behind. */
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
