import { expect, test } from "vitest";
import { safeNext } from "./next.ts";

test.each([
  ["/checkout", "/checkout"],
  ["/singleProduct/unity-home-jersey", "/singleProduct/unity-home-jersey"],
  ["/shop?size=M&q=a%20b", "/shop?size=M&q=a%20b"],
  [null, "/"],
  ["", "/"],
  ["checkout", "/"],
  ["//evil.example", "/"],
  ["/.//evil.example", "/"],
  ["/shop/../..//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["https:evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/x\r\nSet-Cookie: a=b", "/"],
  ["/\tevil", "/"],
  ["\\/evil.example", "/"],
])("S24 next=%s leads to %s", (given, path) => {
  expect(safeNext(given)).toBe(path);
});
