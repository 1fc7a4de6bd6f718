import { expect, test } from "vitest";
import { pagePatterns, routeMatcher } from "./route-pattern.ts";

const pages = pagePatterns({
  root: {},
  layout: { parentId: "root" },
  home: { parentId: "layout" },
  product: { path: "singleProduct/:id", parentId: "layout" },
  account: { path: "account", parentId: "layout" },
  data: { path: "data", parentId: "account" },
  review: { path: "review/:work?", parentId: "layout" },
  missing: { path: "*", parentId: "layout" },
});
const routeOf = routeMatcher([...pages, "/sitemap.xml", "/assets/*"]);

test.each([
  ["/", "/"],
  ["/?utm_source=x", "/"],
  ["/_.data", "/"],
  ["/singleProduct/rings-tee", "/singleProduct/:id"],
  ["/singleproduct/RINGS/?x=/account", "/singleProduct/:id"],
  ["/singleProduct/rings-tee.data?_routes=x", "/singleProduct/:id"],
  ["/singleProduct/a/b", "other"],
  ["/ACCOUNT/", "/account"],
  ["/account/data.data", "/account/data"],
  ["/review", "/review/:work?"],
  ["/review/7", "/review/:work?"],
  ["/review/7/8", "other"],
  ["/assets/a/b.js", "/assets/*"],
  ["/sitemap.xml", "/sitemap.xml"],
  ["/sitemapxxml", "other"],
  ["/wp-login.php", "other"],
  ["", "/"],
  ["*", "other"],
  ["http://evil.example/account", "other"],
])("the route of %s is %s", (url, route) => expect(routeOf(url)).toBe(route));
