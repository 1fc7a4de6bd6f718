import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const NAME = "provenance.json";
const LOCK = "package-lock.json";

type Digest = { sha256: string };
/** What was built from what: an in-toto statement with SLSA's predicate, which signing tools understand. */
export type Provenance = {
  _type: "https://in-toto.io/Statement/v1";
  subject: { name: string; digest: Digest }[];
  predicateType: "https://slsa.dev/provenance/v1";
  predicate: {
    buildDefinition: {
      buildType: string;
      externalParameters: { node: string; platform: string };
      resolvedDependencies: [
        { name: "source"; digest: { gitCommit: string }; annotations: { changed?: boolean } },
        { name: typeof LOCK; digest: Digest },
      ];
    };
    runDetails: { builder: { id: string }; metadata: { finishedOn: string } };
  };
};

/**
 * The commit of this folder. `changed`: whether tracked files differ from the commit, or untracked files lie among the
 * sources. Without git, as in an image, IREPO_COMMIT names the commit and `changed` is undefined.
 */
export function sourceAt(root: string, sources: string[]): { gitCommit: string; changed?: boolean } {
  const commit = git(root, "rev-parse", "HEAD");
  if (commit === undefined) return { gitCommit: process.env.IREPO_COMMIT || "unknown" };
  const changed = git(root, "status", "--porcelain", "--untracked-files=no");
  const unknown = git(root, "ls-files", "--others", "--", ...sources); // with ignored files, which are built as well
  return { gitCommit: commit, changed: changed !== "" || unknown !== "" };
}

/** Writes the statement of what was built from these sources, beside the build. */
export function writeProvenance(folder: string, sources: string[]): void {
  const { gitCommit, ...annotations } = sourceAt(".", sources);
  const provenance: Provenance = {
    _type: "https://in-toto.io/Statement/v1",
    subject: filesIn(folder).map((name) => ({ name, digest: digestOf(path.join(folder, name)) })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:irepo:build",
        externalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit }, annotations },
          { name: LOCK, digest: digestOf(LOCK) },
        ],
      },
      runDetails: { builder: { id: "urn:irepo:scripts/build.ts" }, metadata: { finishedOn: new Date().toISOString() } },
    },
  };
  writeFileSync(path.join(folder, NAME), `${JSON.stringify(provenance, null, 1)}\n`);
}

/** The files that differ from the build's statement: changed, missing or added. */
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

function git(cwd: string, ...words: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { cwd, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
