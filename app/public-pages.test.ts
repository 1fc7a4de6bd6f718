import { expect, test } from "vitest";
import { publicPage } from "./public-pages.ts";

test.each([
  ["/shop", "/shop"],
  ["/shop?utm_source=mail&__proto__=1&page=1", "/shop"],
  ["/shop?page=2&page=3", "/shop?page=2"],
  ["/shop?q=what?", "/shop?q=what%3F"],
  ["/shop?x=1?q=red", "/shop"],
  ["/singleProduct/eko-tee?choose=<script>", "/singleProduct/eko-tee?choose="],
  ["/about?next=//evil.example", "/about"],
])("%s is kept as %s: only the part of the query that counts names a page", (url, name) => {
  expect(publicPage(url)).toBe(name);
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
  "/shop.data?_routes=routes/shop",
  "/account",
])("%s is no page that everybody shares", (url) => {
  expect(publicPage(url)).toBeUndefined();
});
