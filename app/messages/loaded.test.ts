import { execFileSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { OWNABLE } from "./ownable.ts";

const reads = vi.hoisted((): string[] => []);
vi.mock("../messages.ts", async (original) => {
  const all = await original<Record<string, object>>();
  // A page's modules are loaded before the owner's sentences are put in place.
  const noting = (group: object, key: string): object =>
    new Proxy(group, {
      get(target, name) {
        const said = Reflect.get(target, name);
        if (typeof name === "symbol") return said;
        if (typeof said === "object") return noting(said, `${key}.${name}`);
        reads.push(`${key}.${name}`);
        return said;
      },
    });
  return Object.fromEntries(Object.entries(all).map(([name, group]) => [name, noting(group, name)]));
});

test("no module keeps a sentence that was read while it was loaded", async () => {
  reads.length = 0;
  const files = execFileSync("git", ["grep", "-l", "as messages from", "app", "office", "cli"], { encoding: "utf8" });
  const users = files.split("\n").filter((file) => /\.tsx?$/.test(file) && !/\.test\.|app\/messages/.test(file));
  expect(users.length).toBeGreaterThan(60);
  for (const file of users) await import(`../../${file}`);
  const kept = reads.filter((key) => OWNABLE.some((one) => one.key === key));
  expect(kept).toEqual([]);
}, 120_000);
