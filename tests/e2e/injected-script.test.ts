import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Browser } from "playwright-core";
import { createElement, type ReactNode } from "react";
import { createRequestHandler, Scripts } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import handleRequest from "#app/entry.server.tsx";
import { createEdge } from "#app/infra/http/server/edge.server.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { buildOfOnePage } from "#tests/support/router-build.ts";

const INJECTED = "globalThis.injected = true;";
const DESCRIPTION = `A jersey</p><script>${INJECTED}</script><script nonce>${INJECTED}</script>
  <script>window.__reactRouterContext = {};${INJECTED}</script><img src="x" onerror="${INJECTED}">`;

function Layout({ children }: { children: ReactNode }) {
  return createElement(
    "html",
    null,
    createElement("head"),
    createElement("body", null, children, createElement(Scripts)),
  );
}

/** A faulty component that writes typed text into the page as markup. */
function Broken() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the mistake that this test is about
  return createElement("main", { dangerouslySetInnerHTML: { __html: DESCRIPTION } });
}

const build = buildOfOnePage(
  { default: handleRequest },
  { default: Broken, Layout, loader: () => ({ description: DESCRIPTION }) },
);

let server: Server;
let browser: Browser;
let url: string;

beforeAll(async () => {
  const edge = createEdge({
    api: [],
    page: createRequestHandler(build, "production"),
    picture: async () => null,
    webhooks: [],
    ready: () => true,
    works: async () => true,
    clientFiles: "",
  });
  const pages = getRequestListener(edge.fetch);
  server = createServer((request, response) =>
    request.url === "/"
      ? pages(request, response)
      : response.setHeader("Content-Type", "text/javascript").end("globalThis.started = true;"),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

const hashOf = (script: string) => createHash("sha256").update(script).digest("base64");

test("S33 a script that a mistake of ours lets into the page is not allowed by the page's policy", async () => {
  const answer = await fetch(url);
  expect(await answer.text()).toContain(`<script>${INJECTED}</script>`);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy.match(/'sha256-/g)).toHaveLength(5);
  expect(policy).not.toContain(hashOf(INJECTED));
  expect(policy).not.toContain(hashOf(`window.__reactRouterContext = {};${INJECTED}`));
});

test("S33 nor does a browser run it, while all scripts of the shop run", async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const refused: string[] = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => refused.push(violatedDirective));
    Object.assign(globalThis, { refused });
  });
  await page.goto(url);
  await page.waitForFunction(() => "started" in globalThis);
  const seen = await page.evaluate(() => {
    const { injected, refused, __reactRouterContext } = globalThis as Record<string, unknown>;
    return { injected, refused: (refused as string[]).sort(), context: typeof __reactRouterContext };
  });
  expect(seen).toEqual({
    injected: undefined,
    refused: ["script-src-attr", "script-src-elem", "script-src-elem", "script-src-elem"],
    context: "object",
  });
});
