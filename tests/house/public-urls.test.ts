import { readFileSync } from "node:fs";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import { publicPage } from "#app/public-pages.ts";
import routes from "#app/routes.ts";

/** Every path of app/routes.ts as an address, with an example for each parameter. */
function addressesOf(entries: readonly RouteConfigEntry[]): string[] {
  return entries.flatMap(({ path, index, children }) => [
    ...(path || index ? [`/${path ?? ""}`.replaceAll(/:\w+/g, "eko-tee")] : []),
    ...addressesOf(children ?? []),
  ]);
}

const addresses = addressesOf(await routes);
const kept = addresses.filter((address) => publicPage(address) !== undefined);

test("of all routes the page cache keeps those that are the same for everybody, and no other", () => {
  expect(kept.sort()).toEqual([
    "/",
    "/about",
    "/api/products",
    "/api/products/eko-tee",
    "/collections/eko-tee",
    "/llms.txt",
    "/privacy-policy",
    "/returnpolicy",
    "/robots.txt",
    "/shipping-policy",
    "/shop",
    "/singleProduct/eko-tee",
    "/sitemap.xml",
  ]);
});

test("the service worker keeps the pages among them, and no other route", () => {
  const [, pattern = ""] = /const PAGE = \/(.+)\/i;/.exec(readFileSync("public/sw.js", "utf8")) ?? [];
  const isPage = (address: string) => !/^\/api\/|\.\w+$/.test(address);
  expect(addresses.filter((address) => new RegExp(pattern, "i").test(address)).sort()).toEqual(kept.filter(isPage));
});
