import path from "node:path";
import { describe, expect, test } from "vitest";
import { SOURCES } from "../../scripts/build.ts";
import { roomOf, shipped, sources } from "./sources.ts";

/** Which rooms may import which (docs/decisions/001-house.md). A folder may always import itself. */
const OUTSIDE = ["infra", "messages", "db"];
const LOWEST = ["money", "ui", "brand", "numbers"];
const FEATURES = [
  "account",
  "payments",
  "orders",
  "shipping",
  "cart",
  "catalog",
  "offers",
  "content",
  "newsletter",
  "payment-provider",
  "providers",
  "by-hand",
];
const EVERYTHING = [...FEATURES, ...LOWEST, ...OUTSIDE];
const ALLOWED: Record<string, string[]> = {
  top: [...EVERYTHING, "owner", "customer-data", "staff", "routes", "top"],
  cli: [...EVERYTHING, "owner", "customer-data", "staff"],
  office: [...EVERYTHING, "owner", "customer-data", "staff"],
  staff: [...LOWEST, ...OUTSIDE],
  routes: [...EVERYTHING, "customer-data"],
  owner: [...EVERYTHING, "customer-data"],
  "customer-data": EVERYTHING,
  account: ["orders", "cart", "catalog", ...LOWEST, ...OUTSIDE],
  payments: [
    "by-hand",
    "providers",
    "payment-provider",
    "orders",
    "shipping",
    "cart",
    "offers",
    "catalog",
    ...LOWEST,
    ...OUTSIDE,
  ],
  orders: ["providers", "shipping", "cart", "offers", "catalog", ...LOWEST, ...OUTSIDE],
  shipping: ["catalog", ...LOWEST, ...OUTSIDE],
  cart: ["offers", "catalog", ...LOWEST, ...OUTSIDE],
  offers: ["catalog", ...LOWEST, ...OUTSIDE],
  content: ["providers", "shipping", "catalog", ...LOWEST, ...OUTSIDE],
  catalog: [...LOWEST, ...OUTSIDE],
  providers: ["paystack", "by-hand", "payment-provider"],
  paystack: ["payment-provider", ...LOWEST, ...OUTSIDE],
  "by-hand": ["payment-provider", ...LOWEST, ...OUTSIDE],
  "payment-provider": ["money"],
  newsletter: ["ui", ...OUTSIDE],
  ui: ["money", "brand", "numbers"],
  infra: ["db", "brand", "numbers"],
  brand: [],
  numbers: [],
  money: [],
  messages: [],
  db: [],
  sandbox: [],
};

/** Settings are read before anything else, also those of the providers, whose files of settings import nothing. */
const OF_SETTINGS = "app/infra/env.server.ts -> app/providers/settings.ts";

describe("arrows", () => {
  test("every file imports only from rooms that its own room allows", () => {
    const wrong = shipped.flatMap(({ file, imports }) => {
      const from = roomOf(file);
      return imports
        .filter((target) => target !== "package.json") // read for the version
        .filter((target) => roomOf(target) !== from && !ALLOWED[from]?.includes(roomOf(target)))
        .map((target) => `${file} -> ${target}`)
        .filter((arrow) => arrow !== OF_SETTINGS);
    });
    expect(wrong).toEqual([]);
  });

  test("the providers' files of settings import nothing of the shop", () => {
    const files = shipped.filter(({ file }) => /^app\/(providers|paystack)\/settings\.ts$/.test(file));
    expect(files.flatMap(({ imports }) => imports)).toEqual(["app/paystack/settings.ts"]);
  });

  test("routes import no routes", () => {
    const wrong = shipped
      .filter(({ file }) => roomOf(file) === "routes")
      .flatMap(({ file, imports }) =>
        imports.filter((target) => roomOf(target) === "routes").map((target) => `${file} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("files without .server in their name import no .server file", () => {
    const pure = shipped.filter(
      ({ file }) =>
        file.startsWith("app") && !/\.server\.tsx?$/.test(file) && roomOf(file) !== "routes" && roomOf(file) !== "top",
    );
    const wrong = pure.flatMap(({ file, imports }) =>
      imports.filter((target) => target.includes(".server.")).map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("a file that uses the browser is called name.browser.ts", () => {
    const pure = shipped.filter(
      ({ file }) =>
        file.startsWith("app") &&
        /(?<!\.server|\.browser)\.ts$/.test(file) &&
        !["routes", "top"].includes(roomOf(file)),
    );
    const BROWSER =
      /\b(?:window|document|localStorage|sessionStorage|navigator)\.|\b(?:fetch|addEventListener|matchMedia)\(|\buse(?:State|Effect|Ref|SyncExternalStore)\(/;
    expect(pure.filter(({ text }) => BROWSER.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test("there is no cycle", () => {
    const graph = new Map(shipped.map(({ file, imports }) => [file, imports]));
    const done = new Set<string>();
    const visit = (file: string, trail: string[]): string[] | undefined => {
      if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
      if (done.has(file)) return;
      for (const target of graph.get(file) ?? []) {
        const cycle = visit(target, [...trail, file]);
        if (cycle) return cycle;
      }
      done.add(file);
    };
    for (const file of graph.keys()) expect(visit(file, [])?.join(" -> ")).toBeUndefined();
  });

  test("every file in a build is among the sources by which a change is noticed", () => {
    const built = shipped.filter(({ file }) =>
      SOURCES.some((source) => file === source || file.startsWith(source + path.sep)),
    );
    const missing = built
      .flatMap(({ imports }) => imports)
      .filter((file) => !SOURCES.some((source) => file === source || file.startsWith(source + path.sep)));
    expect(new Set(missing)).toEqual(new Set(["db/types.ts"])); // types alone leave nothing in a build
  });

  test("settings are read in one place", () => {
    const wrong = shipped.filter(
      ({ file, text }) =>
        /process\.env/.test(text) && !file.startsWith("sandbox") && file !== path.join("app", "infra", "env.server.ts"),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test("a file's extension is written in every import of our own", () => {
    const wrong = sources.flatMap(({ file, imports }) =>
      imports
        .filter((target) => !/\.(tsx?|css|json|svg)(\?\w+)?$/.test(target))
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});
