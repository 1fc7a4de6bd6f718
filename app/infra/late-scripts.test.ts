import { expect, test } from "vitest";
import { withLateScripts } from "./late-scripts.server.ts";

const PAGE = `<html><head><link rel="modulepreload" href="/assets/a.js"/><link rel="modulepreload" href="/assets/b.js"/></head><body><p>Hi</p>
<script nonce="mark">window.__reactRouterContext = {};</script><script nonce="mark" type="module" async="">import "/assets/a.js";</script></body></html>`;
const html = (data: string, page = PAGE) => withLateScripts(page, data, "mark").html;

test("no script of the router runs by itself, and each is there once", () => {
  const page = html('[{"_1":2},"title","Tee"]\n');
  for (const atOnce of ['rel="modulepreload"', '<script type="module"', "<script>window"])
    expect(page).not.toContain(atOnce);
  const times = (part: string) => page.split(part).length - 1;
  expect(['rel="late"', 'type="late-module"', 'type="late-script"', 'id="late-data"'].map(times)).toEqual([2, 1, 1, 1]);
});

test.each(["</script><script>alert(1)</script>", "</body>", "<!-- <script", "$& $1 $`"])(
  "data like %s stays data",
  (title) => {
    const page = html(JSON.stringify([title]));
    const [, data = ""] = /id="late-data">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(data)).toEqual([title]);
    expect(page.split("</body>")).toHaveLength(2);
  },
);

test("a page that is not the router's is an error, not a page without script", () => {
  expect(() => html("[]", PAGE.replace(' async=""', ""))).toThrow("The router's pages have changed");
});

test("the mark by which the router's scripts are known does not leave the server, and no other script is listed", () => {
  const page = withLateScripts(
    PAGE.replace("Hi", '<script>evil()</script><script nonce="guess">evil()</script>'),
    "[]",
    "mark",
  );
  expect(page.html).not.toContain("mark");
  expect(page.scripts.slice(2)).toEqual(['import "/assets/a.js";', "window.__reactRouterContext = {};"]);
  for (const script of page.scripts) expect(page.html).toContain(`>${script}</script>`);
});
