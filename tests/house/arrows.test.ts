import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { SOURCES } from "../../scripts/build.ts";

/** Who may import whom (docs/decisions/001-house.md). A folder may always import itself. */
const OUTSIDE = ["infra", "messages", "db"];
const LOWEST = ["money", "ui"];
const FEATURES = [
  "account",
  "payments",
  "orders",
  "shipping",
  "cart",
  "catalog",
  "newsletter",
  "payment-provider",
  "paystack",
];
const EVERYTHING = [...FEATURES, ...LOWEST, ...OUTSIDE];
const ALLOWED: Record<string, string[]> = {
  top: [...EVERYTHING, "owner", "customer-data", "routes", "top"],
  cli: [...EVERYTHING, "owner", "customer-data"],
  routes: [...EVERYTHING, "customer-data"],
  owner: [...EVERYTHING, "customer-data"],
  "customer-data": EVERYTHING,
  account: ["cart", "catalog", ...LOWEST, ...OUTSIDE],
  payments: ["paystack", "payment-provider", "orders", "shipping", "cart", "catalog", ...LOWEST, ...OUTSIDE],
  orders: ["shipping", "cart", "catalog", ...LOWEST, ...OUTSIDE],
  shipping: ["catalog", ...LOWEST, ...OUTSIDE],
  cart: ["catalog", ...LOWEST, ...OUTSIDE],
  catalog: [...LOWEST, ...OUTSIDE],
  paystack: ["payment-provider", ...LOWEST, ...OUTSIDE],
  "payment-provider": [],
  newsletter: ["ui", ...OUTSIDE],
  ui: ["money"],
  infra: ["db"],
  money: [],
  messages: [],
  db: [],
  sandbox: [],
};

const ROOT = path.resolve(import.meta.dirname, "../..");
const IMPORT = /(?:from\s+|import\s+|import\()\s*["']([^"']+)["']/g;

type Source = { file: string; text: string; imports: string[] };

const sources: Source[] = ["app", "cli", "sandbox", "db"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  )
  .concat("server.ts", "worker.ts", "make-pictures.ts")
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))
  .map((file) => {
    const text = readFileSync(path.join(ROOT, file), "utf8");
    const imports = [...text.matchAll(IMPORT)]
      .map(([, target]) => resolved(file, target ?? ""))
      .filter((target) => target !== undefined);
    return { file, text, imports };
  });
const shipped = sources.filter(({ file }) => !file.includes(".test."));

function resolved(from: string, target: string): string | undefined {
  if (target.includes("+types")) return undefined; // made by the router
  if (target.startsWith(".")) return path.normalize(path.join(path.dirname(from), target));
  if (target.startsWith("#")) return target.slice(1);
  return undefined; // a package
}

/** app/cart/merge.ts -> cart; app/root.tsx -> top; db/types.ts -> db. */
function place(file: string): string {
  const [first = "", second = ""] = file.split(path.sep);
  if (first === "app") return file.split(path.sep).length > 2 ? second : second === "messages.ts" ? "messages" : "top";
  return first in ALLOWED ? first : "top";
}

describe("arrows", () => {
  test("every file imports only what its place allows", () => {
    const wrong = shipped.flatMap(({ file, imports }) => {
      const from = place(file);
      return imports
        .filter((target) => place(target) !== from && !ALLOWED[from]?.includes(place(target)))
        .map((target) => `${file} -> ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test("routes import no routes", () => {
    const wrong = shipped
      .filter(({ file }) => place(file) === "routes")
      .flatMap(({ file, imports }) =>
        imports.filter((target) => place(target) === "routes").map((target) => `${file} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test("what is pure imports nothing that touches the world", () => {
    const pure = shipped.filter(
      ({ file }) =>
        file.startsWith("app") && !/\.server\.tsx?$/.test(file) && place(file) !== "routes" && place(file) !== "top",
    );
    const wrong = pure.flatMap(({ file, imports }) =>
      imports.filter((target) => target.includes(".server.")).map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("what is pure knows no browser: what touches it is called name.browser.ts", () => {
    const pure = shipped.filter(
      ({ file }) =>
        file.startsWith("app") && /(?<!\.server|\.browser)\.ts$/.test(file) && !["routes", "top"].includes(place(file)),
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

  test("what is built in counts when it is asked whether something has changed", () => {
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
