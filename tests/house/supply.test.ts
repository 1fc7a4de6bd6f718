import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { lintSource } from "@secretlint/core";
import { creator as knownSecrets } from "@secretlint/secretlint-rule-preset-recommend";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ROOT } from "./sources.ts";

const lockedPackage = z.object({
  version: z.string(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  inBundle: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  link: z.boolean().optional(),
});
const names = z.record(z.string(), z.string());
const manifest = z.object({
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  allowScripts: z.record(z.string(), z.boolean()),
});

const read = (name: string): unknown => JSON.parse(readFileSync(path.join(ROOT, name), "utf8"));
const { dependencies, devDependencies, optionalDependencies, allowScripts } = manifest.parse(read("package.json"));
const lock = z
  .object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), z.unknown()) })
  .parse(read("package-lock.json"));

const locked = Object.entries(lock.packages)
  .filter(([place]) => place !== "")
  .map(([place, entry]) => ({ place, name: place.split("node_modules/").at(-1) ?? "", ...lockedPackage.parse(entry) }));
const said = (some: typeof locked) => some.map(({ name, version }) => `${name}@${version}`);

describe("S65 the packages that are installed", () => {
  test("are asked for by their exact versions, and locked at these", () => {
    const asked = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const lockedAs = new Map(locked.map(({ place, version }) => [place, version]));
    expect(asked.filter(([name, version]) => lockedAs.get(`node_modules/${name}`) !== version)).toEqual([]);
  });

  test("are known by their bytes, come from npm's registry whatever its host, and lie nowhere else", () => {
    const isHashed = ({ integrity }: { integrity?: string }) => integrity?.startsWith("sha512-");
    // A bundled package lies in another package's archive, whose hash covers it.
    expect(said(locked.filter((one) => !isHashed(one) && !one.inBundle))).toEqual([]);
    expect(said(locked.filter(({ resolved, link }) => resolved || link))).toEqual([]);
  });

  test("have been public for some days before they are taken", () => {
    expect(readFileSync(path.join(ROOT, ".npmrc"), "utf8")).toContain("min-release-age=3\n");
  });

  test("run a script when they are installed only where package.json names them", () => {
    const running = new Set(locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
    expect(Object.keys(allowScripts).sort()).toEqual([...running].sort());
    // The checker's install script would download a Java runtime from another host.
    expect(Object.keys(allowScripts).filter((name) => !allowScripts[name])).toEqual(["vnu-jar"]);
  });

  test("are licensed in ways that are known here", () => {
    const licences = locked.map(({ name, version, license }) => {
      const one = `${name}@${version}`;
      return { one, licence: license ?? UNSAID[one] ?? "none" };
    });
    expect(licences.filter(({ licence }) => !isKnown(licence))).toEqual([]);
  });
});

describe("S65 a secret", () => {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(isText);

  test("stands in no file of the project", async () => {
    const found = await Promise.all(
      tracked.map((file) => secretsIn(file, readFileSync(path.join(ROOT, file), "utf8"))),
    );
    expect(found.flat()).toEqual([]);
  });

  test.each([
    ["Paystack's", `sk_live_${"0123456789abcdef".repeat(3).slice(0, 40)}`],
    ["Google's", `GOCSPX-${"aB3_".repeat(7)}`],
    ["a database's password", `postgres://irepo:${"q7Zt".repeat(4)}@db.irepo.example/irepo`],
    ["a private key", `-----BEGIN PRIVATE ${"KEY-----\n"}${"MIIE".repeat(30)}\n-----END PRIVATE ${"KEY-----"}`],
  ])("would be seen: %s", async (_, secret) => {
    expect(await secretsIn("app/x.ts", `const secret = "${secret}";`)).not.toEqual([]);
  });
});

/** Keys of the sandbox, which accepts no other and takes no money. */
const NO_SECRETS = [`sk_test_sandbox${"0".repeat(28)}`];

/** The formats of keys of the two services with which the shop has accounts. */
const OWN_SECRETS = /\bsk_(?:live|test)_[0-9a-f]{40}\b|\bGOCSPX-[\w-]{28}\b/g;

async function secretsIn(filePath: string, content: string): Promise<string[]> {
  const rest = NO_SECRETS.reduce((text, key) => text.replaceAll(key, ""), content);
  const source = { filePath, content: rest, ext: path.extname(filePath), contentType: "text" } as const;
  const rules = [{ id: "preset", rule: knownSecrets }];
  const { messages } = await lintSource({ source, options: { config: { rules }, maskSecrets: true } });
  const own = [...rest.matchAll(OWN_SECRETS)].map(({ index }) => `${filePath}: a key at ${index}`);
  return [...messages.map(({ loc, message }) => `${filePath}:${loc.start.line} ${message}`), ...own];
}

function isText(file: string): boolean {
  return file !== "" && !/\.(?:avif|gz|ico|jpg|png|webp|woff2)$/.test(file);
}

/**
 * All but three of these licences require only a notice. LGPL: libvips, a separate library that sharp loads. MPL:
 * covers its own files, which nobody changes here. CC-BY: a table of browsers, which the build reads.
 */
const KNOWN = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** Packages with a licence file, but with no licence, or one in an outdated form, in their package.json. */
const UNSAID: Record<string, string> = {
  "busboy@1.6.0": "MIT",
  "humanize-number@0.0.2": "MIT",
  "streamsearch@1.1.0": "MIT",
};

/** Whether an SPDX expression, of ANDs within ORs, offers a choice of known licences. */
function isKnown(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((one) => KNOWN.has(one)));
}
