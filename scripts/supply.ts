import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { buildIfChanged } from "./build.ts";
import { changedSince, readProvenance } from "./provenance.ts";
import { readArguments } from "./usage.ts";

// `npm run supply`: checks what the shop is made of and whether it can be trusted. Writes the list of its parts (an
// SBOM) and of their licences, and ends with 1 if something is wrong. --offline: does not ask the registry.

const { values: asked } = readArguments("supply", { options: { offline: { type: "boolean" } } });
const SBOM = "supply/sbom.cdx.json";
const LICENCES = "supply/licences.txt";

/** The shapes of npm's answers. */
const count = z.number();
const audited = z.object({
  metadata: z.object({ vulnerabilities: z.object({ high: count, critical: count, total: count }) }),
});
const licence = z.object({ license: z.object({ id: z.string() }) }).or(z.object({ expression: z.string() }));
const part = z.looseObject({ name: z.string(), version: z.string(), licenses: z.array(licence).optional() });
const parts = z.looseObject({ bomFormat: z.literal("CycloneDX"), components: z.array(part) });
const lockFile = z.object({ packages: z.record(z.string(), z.object({ version: z.string() })) });

const build = await buildIfChanged();
const checks = {
  "lock file, licences, install scripts, secrets": house,
  "known holes": audit,
  parts: sbom,
  provenance,
};
const WORDS = { true: "passed", false: "FAILED", skipped: "skipped" };
const CHANGED = { true: " and changes", false: "", undefined: ", as who built it says" };
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  const { ok, said } = check();
  process.stdout.write(`${WORDS[`${ok}`]}: ${name}${said ? `: ${said}` : ""}\n`);
  if (ok === false) failed++;
}
process.exit(failed ? 1 : 0);

/** `skipped`: the check could not be made, so nothing is known. */
type Outcome = { ok: boolean | "skipped"; said?: string };

function house(): Outcome {
  const { status } = spawnSync("vitest", ["run", "tests/house/supply.test.ts"], { stdio: ["ignore", 2, 2] });
  return { ok: status === 0 };
}

/** The packages' vulnerabilities that the registry knows: none may be high or critical. */
function audit(): Outcome {
  if (asked.offline) return { ok: "skipped", said: "because the registry is not to be asked (--offline)" };
  const { data, success } = audited.safeParse(npm("audit", "--json"));
  if (!success) return { ok: "skipped", said: "because the registry does not answer this question" };
  const { high, critical, total } = data.metadata.vulnerabilities;
  return { ok: high + critical === 0, said: `${high} high, ${critical} critical, ${total} in all` };
}

/** Writes the SBOM in the CycloneDX format and the licences, for all that the lock file names on any platform. */
function sbom(): Outcome {
  const { data, success } = parts.safeParse(npm("sbom", "--sbom-format=cyclonedx", "--package-lock-only"));
  if (!success) return { ok: false, said: "npm lists none" };
  const { components } = data;
  const listed = new Set(components.map(named));
  const missing = lockedPackages().filter((one) => !listed.has(one));
  if (missing.length > 0) return { ok: false, said: `without ${missing.length} packages, such as ${missing[0]}` };
  mkdirSync("supply", { recursive: true });
  writeFileSync(SBOM, JSON.stringify(data, null, 1));
  writeFileSync(LICENCES, components.map((one) => `${named(one)} ${licenceOf(one)}\n`).join(""));
  return { ok: true, said: `${components.length} in ${SBOM}, their licences in ${LICENCES}` };
}

type Part = z.infer<typeof part>;
function named({ name, version }: Pick<Part, "name" | "version">): string {
  return `${name}@${version}`;
}

/** A part's licences as one SPDX expression. */
function licenceOf({ licenses = [] }: Part): string {
  const said = licenses.map((one) => ("license" in one ? one.license.id : one.expression));
  return said.join(" AND ") || "says none in its package.json";
}

function lockedPackages(): string[] {
  const { packages } = lockFile.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  return Object.entries(packages)
    .filter(([place]) => place !== "")
    .map(([place, { version }]) => named({ name: place.split("node_modules/").at(-1) ?? "", version }));
}

function provenance(): Outcome {
  const made = readProvenance(build);
  const [source, lock] = made.predicate.buildDefinition.resolvedDependencies;
  const changed = changedSince(build, made);
  const from = `${source.digest.gitCommit}${CHANGED[`${source.annotations.changed}`]}`;
  const by = `Node ${made.predicate.buildDefinition.externalParameters.node}, lock file ${lock.digest.sha256.slice(0, 16)}`;
  const now = changed.length === 0 ? `${made.subject.length} files as they were built` : `changed: ${changed}`;
  return { ok: changed.length === 0, said: `${build} from ${from} by ${by}; ${now}` };
}

function npm(...words: string[]): unknown {
  const { stdout } = spawnSync("npm", words, { encoding: "utf8", maxBuffer: 64 << 20, shell: true });
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined; // npm says on stderr why
  }
}
