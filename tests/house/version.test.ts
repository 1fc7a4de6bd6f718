import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { metricsText } from "#app/infra/metrics/door.server.ts";
import { VERSION } from "#app/infra/settings/version.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const { db } = useDatabase();
const versions = [...readFileSync("CHANGELOG.md", "utf8").matchAll(/^## \[([\d.]+)\] - /gm)].map(([, one]) => one);

test("43 the version is the newest of the changelog, in package.json and in the lock file", () => {
  const { version, packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  expect([VERSION, version, packages[""].version]).toEqual(Array(3).fill(versions[0]));
});

test("43 each version but the newest, and those before the first, has left a dump that an update is tried on", () => {
  const dumps = readdirSync("tests/updates/dumps");
  const named: Record<string, string> = { "0.1.0": "b74ccc2a" }; // its commit: it is older than version numbers
  const wanted = versions.slice(1).map((version) => `${named[version ?? ""] ?? version}.sql.gz`);
  expect(dumps).toEqual(expect.arrayContaining([...wanted, "0fa75758.sql.gz", "498070bb.sql.gz"]));
});

test("43 the owner's commands and the metrics say the version", async () => {
  expect((await command(db(), ["status"])).text).toMatch(new RegExp(`^version +${VERSION}\n`));
  expect(await metricsText(async () => [])).toMatch(
    new RegExp(`^irepo_build_info\\{version="${VERSION}".*\\} 1$`, "m"),
  );
});
