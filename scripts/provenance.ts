import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const NAME = "provenance.json";
const LOCK = "package-lock.json";

type Digest = { sha256: string };
/** What was built from what: an in-toto statement with SLSA's predicate, which tools that sign understand. */
export type Provenance = {
  _type: "https://in-toto.io/Statement/v1";
  subject: { name: string; digest: Digest }[];
  predicateType: "https://slsa.dev/provenance/v1";
  predicate: {
    buildDefinition: {
      buildType: string;
      externalParameters: { node: string; platform: string };
      resolvedDependencies: [
        { name: "source"; digest: { gitCommit: string }; annotations: { changed: boolean } },
        { name: typeof LOCK; digest: Digest },
      ];
    };
    runDetails: { builder: { id: string }; metadata: { finishedOn: string } };
  };
};

/** Beside what was built; an image, which has no git, is told its commit as IREPO_COMMIT. */
export function writeProvenance(folder: string): void {
  const commit = process.env.IREPO_COMMIT || git("rev-parse", "HEAD");
  const source = { gitCommit: commit ?? "unknown" };
  const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
  const provenance: Provenance = {
    _type: "https://in-toto.io/Statement/v1",
    subject: filesIn(folder).map((name) => ({ name, digest: digestOf(path.join(folder, name)) })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:irepo:build",
        externalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { name: "source", digest: source, annotations: { changed } },
          { name: LOCK, digest: digestOf(LOCK) },
        ],
      },
      runDetails: { builder: { id: "urn:irepo:scripts/build.ts" }, metadata: { finishedOn: new Date().toISOString() } },
    },
  };
  writeFileSync(path.join(folder, NAME), `${JSON.stringify(provenance, null, 1)}\n`);
}

/** Those files that are not as they were built: changed, gone or added. */
export function changedSince(folder: string, { subject }: Provenance): string[] {
  const built = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  const isAsBuilt = (name: string) =>
    existsSync(path.join(folder, name)) && digestOf(path.join(folder, name)).sha256 === built.get(name);
  return [...new Set([...built.keys(), ...filesIn(folder)])].filter((name) => !isAsBuilt(name));
}

export function readProvenance(folder: string): Provenance {
  return JSON.parse(readFileSync(path.join(folder, NAME), "utf8"));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== NAME)
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .sort();
}

function digestOf(file: string): Digest {
  return { sha256: createHash("sha256").update(readFileSync(file)).digest("hex") };
}

function git(...words: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
