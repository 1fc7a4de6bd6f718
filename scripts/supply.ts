import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { buildIfChanged } from "./build.ts";
import { changedSince, readProvenance } from "./provenance.ts";

// `npm run supply`: what the shop is made of and whether it may be trusted. Writes the list of its parts (an SBOM) and ends with 1 where something is wrong.

const SBOM = "supply/sbom.cdx.json";

/** What npm answers. */
const count = z.number();
const audited = z.object({
  metadata: z.object({ vulnerabilities: z.object({ high: count, critical: count, total: count }) }),
});
const parts = z.looseObject({ bomFormat: z.literal("CycloneDX"), components: z.array(z.unknown()) });

const build = await buildIfChanged();
const checks = {
  "lock file, licences, install scripts, secrets": house,
  "known holes": audit,
  parts: sbom,
  provenance,
};
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  const { ok, said } = check();
  process.stdout.write(`${ok ? "passed" : "FAILED"}: ${name}${said ? `: ${said}` : ""}\n`);
  if (!ok) failed++;
}
process.exit(failed ? 1 : 0);

type Outcome = { ok: boolean; said?: string };

function house(): Outcome {
  const { status } = spawnSync("vitest", ["run", "tests/house/supply.test.ts"], { stdio: ["ignore", 2, 2] });
  return { ok: status === 0 };
}

/** What the registry knows of the packages' holes: none may be high or critical. */
function audit(): Outcome {
  const { data, success } = audited.safeParse(npm("audit", "--json"));
  if (!success) return { ok: true, said: "cannot be had here, the registry does not answer this question" };
  const { high, critical, total } = data.metadata.vulnerabilities;
  return { ok: high + critical === 0, said: `${high} high, ${critical} critical, ${total} in all` };
}

/** CycloneDX, of what the lock file names for every platform. */
function sbom(): Outcome {
  const { data, success } = parts.safeParse(npm("sbom", "--sbom-format=cyclonedx", "--package-lock-only"));
  if (!success) return { ok: false };
  mkdirSync("supply", { recursive: true });
  writeFileSync(SBOM, JSON.stringify(data, null, 1));
  return { ok: true, said: `${data.components.length} in ${SBOM}` };
}

function provenance(): Outcome {
  const made = readProvenance(build);
  const [source, lock] = made.predicate.buildDefinition.resolvedDependencies;
  const changed = changedSince(build, made);
  const from = `${source.digest.gitCommit}${source.annotations.changed ? " and changes" : ""}`;
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
