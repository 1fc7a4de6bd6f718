import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler, type ServerBuild } from "react-router";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import * as entry from "#app/entry.server.tsx";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { buildIfChanged } from "../../../scripts/build.ts";
import { withDeferredHydration } from "./deferred-hydration.server.ts";

/** A product's title with everything that could end a script, a body or a replacement. */
const HOSTILE = "</script><script>alert(1)</script></body><!-- <script $& $1 $`";

/** The built shop's routes, without the layout's loader, which queries the database. */
let build: ServerBuild;

beforeAll(async () => {
  const folder = path.join(await buildIfChanged(), "server/assets");
  const [chunk = ""] = readdirSync(folder).filter((name) => name.startsWith("server-build-"));
  const built: ServerBuild = await import(pathToFileURL(path.join(folder, chunk)).href);
  const layout = built.routes["routes/layout"];
  const loader = () => ({ rate: "1600", demo: true, demoMail: true, google: true, site: HOSTILE });
  const withLoader = layout && { ...layout, module: { ...layout.module, loader } };
  build = {
    ...built,
    entry: { module: entry },
    routes: { ...built.routes, ...(withLoader && { "routes/layout": withLoader }) },
  };
});
afterEach(() => {
  env.DEFER_HYDRATION = true;
});

/** The page as the router renders it from the built shop. */
async function pageAt(url: string, from = build): Promise<{ html: string; status: number; policy: string }> {
  const answer = await createRequestHandler(from, "production")(new Request(new URL(url, "http://shop.example")));
  const policy = answer.headers.get("content-security-policy") ?? "";
  return { html: await answer.text(), status: answer.status, policy };
}

/** The scripts that a browser runs by itself. */
function runningScripts(html: string): { attributes: string; text: string }[] {
  return [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .map(([, attributes = "", text = ""]) => ({ attributes, text }))
    .filter(({ attributes }) => !/type="(?!module")/.test(attributes));
}

const shownIn = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0];
const PAGES = ["/about", "/login", "/no-such-page"];

test.each(PAGES)("no script of the router runs by itself in %s, and each is there once", async (url) => {
  const { html } = await pageAt(url);
  expect(runningScripts(html).filter(({ text }) => text.includes("__reactRouterContext = "))).toEqual([]);
  expect(html).not.toMatch(/rel="modulepreload"|type="module"|nonce=/);
  const times = (part: string) => html.split(part).length - 1;
  expect(['type="text/x-deferred-module"', 'type="text/x-deferred-script"', 'id="deferred-data"'].map(times)).toEqual([
    1, 1, 1,
  ]);
  expect(times('rel="deferred"')).toBeGreaterThan(2);
});

test.each(PAGES)(
  "with DEFER_HYDRATION=false %s shows the same, and the router's scripts run as it writes them",
  async (url) => {
    const deferred = await pageAt(url);
    env.DEFER_HYDRATION = false;
    const page = await pageAt(url);
    expect(page.status).toBe(deferred.status);
    expect(shownIn(page.html)).toBe(shownIn(deferred.html));
    expect(shownIn(page.html)).toBeTruthy();
    expect(page.html).not.toContain("deferred");
    expect(page.html).not.toContain("nonce=");
    const texts = runningScripts(page.html).map(({ text }) => text);
    expect(texts.filter((text) => text.includes("__reactRouterContext = "))).toHaveLength(1);
    expect(texts.some((text) => text.includes("streamController.close()"))).toBe(true);
  },
);

test.each([true, false])(
  "S33 the page's policy names each script that runs, and no other (deferred: %s)",
  async (isDeferred) => {
    env.DEFER_HYDRATION = isDeferred;
    const { html, policy } = await pageAt("/about");
    const hashes = [...policy.matchAll(/'sha256-([^']+)'/g)].map(([, hash]) => hash);
    const put = [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => text);
    const known = new Set(put.map((text) => createHash("sha256").update(text).digest("base64")));
    expect(hashes.filter((hash) => !known.has(hash ?? ""))).toEqual([]);
    for (const { text } of runningScripts(html).filter(({ text }) => text))
      expect(hashes).toContain(createHash("sha256").update(text).digest("base64"));
  },
);

test("S49 the loaders' data stays data, whatever its text", async () => {
  const { html } = await pageAt("/about");
  const [, data = ""] = /id="deferred-data">([\s\S]*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(data.split("\n")[0] ?? "")).toContain(HOSTILE);
  expect(html.split("</body>")).toHaveLength(2);
});

test("a script that is not the router's is not listed, whatever nonce it claims", () => {
  const rendered = `<html><head><link rel="modulepreload" href="/a.js"/></head><body><script>evil()</script><script nonce="guess">evil()</script>
<script nonce="mark">window.__reactRouterContext = {};</script><script nonce="mark" type="module" async="">import "/a.js";</script></body></html>`;
  const { html, scripts } = withDeferredHydration(rendered, "[]", "mark");
  expect(html).not.toContain("mark");
  expect(scripts.slice(3)).toEqual(['import "/a.js";', "window.__reactRouterContext = {};"]);
});

test("a page of an unknown structure is an error with its reason, not a page without script", async () => {
  const root = build.routes.root;
  if (!root) throw new Error("The build has no root");
  const withoutScripts = { ...root.module, Layout: undefined, default: () => null };
  const other = { ...build, routes: { ...build.routes, root: { ...root, module: withoutScripts } } };
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  expect((await pageAt("/about", other)).status).toBe(500);
  expect(logged.mock.calls.map(([details]) => String(Object(details).err))).toContainEqual(
    expect.stringMatching(/^Error: The router's pages have changed: there is no .* Set DEFER_HYDRATION=false/),
  );
});
