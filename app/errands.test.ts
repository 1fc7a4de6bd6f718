import { expect, test } from "vitest";
import { errandOf } from "./errands.ts";

const isFile = (path: string) => path === "/assets/root.js" || path === "/favicon.svg";

test.each([
  ["GET", "/healthz", undefined],
  ["GET", "/readyz", undefined],
  ["GET", "/status", undefined],
  ["POST", "/healthz", "browse"],
  ["POST", "/webhooks/paystack", undefined],
  ["GET", "/webhooks/paystack", "browse"],
  ["GET", "/api/live", undefined],
  ["GET", "/assets/root.js", undefined],
  ["GET", "/favicon.svg?v=1", undefined],
  ["POST", "/favicon.svg", "browse"],
  ["GET", "/assets/other.js", "browse"],
  ["GET", "/images/0123456789abcdef0123/480.avif", undefined],
  ["GET", "/images/../shop?q=a", "browse"],
  ["GET", "/", "buy"],
  ["GET", "/shop", "buy"],
  ["GET", "/shop.data", "buy"],
  ["GET", "/_.data", "buy"],
  ["GET", "/shop?q=a", "browse"],
  ["GET", "/shop?", "browse"],
  ["GET", "/api/products", "buy"],
  ["GET", "/api/products?after=1.a", "browse"],
  ["GET", "/api/products/tee", "browse"],
  ["GET", "/api/suggestions?q=a", "browse"],
  ["GET", "/singleProduct/tee", "buy"],
  ["GET", "/singleproduct/tee.data", "buy"],
  ["POST", "/login.data", "buy"],
  ["POST", "/register", "buy"],
  ["GET", "/Cart", "buy"],
  ["POST", "/api/cart", "buy"],
  ["POST", "/checkout", "buy"],
  ["GET", "/checkout/return?reference=1", "buy"],
  ["GET", "/order/1/return", "buy"],
  ["GET", "/auth/google/callback?code=1", "buy"],
  ["GET", "/login/../shop?q=a", "browse"],
  ["GET", "/login/%2e%2e/shop?q=a", "browse"],
  ["POST", "/subscribe", "browse"],
  ["GET", "/nothing", "browse"],
  ["GET", "//login", "browse"],
] as const)("3 %s %s is to %s", (method, url, errand) => {
  expect(errandOf({ method, url }, isFile)).toBe(errand);
});
