import { expect, test } from "vitest";
import { withLateScripts } from "./late-scripts.server.ts";

const PAGE = `<html><head><link rel="modulepreload" href="/assets/a.js"/><link rel="modulepreload" href="/assets/b.js"/></head><body><p>Hi</p>
<script>window.__reactRouterContext = {};</script><script type="module" async="">import "/assets/a.js";</script></body></html>`;

test("no script of the router runs by itself, and each is there once", () => {
  const html = withLateScripts(PAGE, '[{"_1":2},"title","Tee"]\n');
  for (const atOnce of ['rel="modulepreload"', '<script type="module"', "<script>window"])
    expect(html).not.toContain(atOnce);
  const times = (part: string) => html.split(part).length - 1;
  expect(['rel="late"', 'type="late-module"', 'type="late-script"', 'id="late-data"'].map(times)).toEqual([2, 1, 1, 1]);
});

test.each(["</script><script>alert(1)</script>", "</body>", "<!-- <script", "$& $1 $`"])(
  "data like %s stays data",
  (title) => {
    const html = withLateScripts(PAGE, JSON.stringify([title]));
    const [, data = ""] = /id="late-data">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(data)).toEqual([title]);
    expect(html.split("</body>")).toHaveLength(2);
  },
);

test("a page that is not the router's is an error, not a page without script", () => {
  expect(() => withLateScripts(PAGE.replace(' async=""', ""), "[]")).toThrow("The router's pages have changed");
});
