import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { publicPage, saysNothing, thingOf } from "./public-pages.ts";
import routes from "./routes.ts";
import { canonicalPath, PUBLIC_PATHS, productPath } from "./ui/frame/paths.ts";

test.each([
  ["/shop", "/shop"],
  ["/shop?utm_source=mail&__proto__=1&page=1", "/shop"],
  ["/shop?page=2&page=3", "/shop?page=2"],
  ["/shop?q=what?", "/shop?q=what%3F"],
  ["/shop?x=1?q=red", "/shop"],
  ["/singleProduct/eko-tee?choose=<script>", "/singleProduct/eko-tee"],
  ["/about?next=//evil.example", "/about"],
  ["/collections/owambe?kind=tees&size=M&utm_source=mail", "/collections/owambe?size=M"],
  ["/collections/owambe.data?page=2", "/collections/owambe.data?page=2"],
])("%s is cached as %s: only some parameters distinguish pages", (url, name) => {
  expect(publicPage(url)).toBe(name);
});

test.each([
  ["/shop?kind=", "/shop"],
  ["/shop?kind=&size=M&q=", "/shop?size=M"],
  ["/shop?kind=hats&page=2", "/shop?page=2"],
  ["/shop.data?kind=hats", "/shop.data"],
  ["/about?kind=tees", "/about"],
  ["/shop?kind=tees", undefined],
  ["/shop?q=red&kind=tees", undefined],
  ["/shop.data?kind=tees", undefined],
])("where tees are the only kind, %s is cached as %s", (url, name) => {
  expect(publicPage(url, (id) => id === "tees")).toBe(name);
});

test.each([
  "/Shop",
  "/shop/",
  "/shop/..",
  "/./shop",
  "//evil.example/shop",
  "http://evil.example/shop",
  "/shop%2f",
  "/shop;x",
  "/shop#x",
  "/singleProduct/../shop",
  "/singleProduct/a/b",
  "/collections/a/b",
  "/shop.data?_routes=routes/shop",
  "/account",
])("%s is not a shared page", (url) => {
  expect(publicPage(url)).toBeUndefined();
});

test.each([...PUBLIC_PATHS, productPath("eko-tee")])("%s is a route, kept, and readable offline", (path) => {
  expect(publicPage(path)).toBe(path);
  expect(offlinePages.test(path)).toBe(true);
  expect(canonicalPath(path.toUpperCase())).toBe(path.replace("eko-tee", "EKO-TEE"));
});

test("the page of a collection is a route, cached, and readable offline", () => {
  expect(publicPage("/collections/eko-tee")).toBe("/collections/eko-tee");
  expect(offlinePages.test("/collections/eko-tee")).toBe(true);
});

test.each([
  ["/singleProduct/no-such-one", "/singleProduct/-"],
  ["/singleProduct/no-such-one.data", "/singleProduct/-.data"],
  ["/api/products/no-such-one", "/api/products/-"],
  ["/collections/no-such-one?page=2", "/collections/-"],
  ["/collections/no-such-one.data?page=2", "/collections/-.data"],
])("if %s is missing, %s is shown and cached", (key, otherwise) => {
  expect(thingOf(key)?.otherwise).toBe(otherwise);
  expect(saysNothing(otherwise)).toBe(true);
  expect(saysNothing(key)).toBe(false);
});

test("pages for one visitor are routes, and neither cached nor readable offline", () => {
  const personal = screens().filter((path) => publicPage(path) === undefined);
  expect(personal).toContain("/account");
  expect(personal.filter((path) => offlinePages.test(path))).toEqual([]);
});

test("every page of the layout has a canonical URL, but for those of one address, order or queue, the demo's mails and unknown ones", () => {
  expect(screens().filter((path) => !canonicalPath(path))).toEqual([
    "/account/addresses/eko-tee",
    "/order/:reference",
    "/order/:reference/return",
    "/order/:reference/cancel",
    "/order/:reference/address",
    "/order/:reference/size",
    "/order/:reference/receipt",
    "/pay/:code",
    "/handover/:code",
    "/queue/eko-tee",
    "/preview/:code?",
    "/demo/mail",
    "/*",
  ]);
});

/** The pages that the service worker caches. They are read from its text, since it can import nothing. */
const [, pattern = ""] = /const PAGE = \/(.+)\/i;/.exec(readFileSync("public/sw.js", "utf8")) ?? [];
const offlinePages = new RegExp(pattern, "i");

function screens(): string[] {
  const [layout, cart] = routes;
  return [...(layout?.children ?? []), cart].map((route) => `/${route?.path ?? ""}`.replace(":id", "eko-tee"));
}
