import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../..");
const IMPORT = /(?:from\s+|import\s+|import\()\s*["']([^"']+)["']/g;

export type Source = { file: string; text: string; imports: string[] };

/** The project's own modules, tests among them, each with what it imports of them. */
export const sources: Source[] = ["app", "cli", "office", "sandbox", "db"]
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

/** Without the tests. */
export const shipped = sources.filter(({ file }) => !file.includes(".test."));

function resolved(from: string, target: string): string | undefined {
  if (target.includes("+types")) return undefined; // made by the router
  if (target.startsWith(".")) return path.normalize(path.join(path.dirname(from), target));
  if (target.startsWith("#")) return target.slice(1);
  return undefined; // a package
}

/** The room of a file: app/cart/merge.ts -> cart; app/root.tsx -> top; db/types.ts -> db. */
export function roomOf(file: string): string {
  const [first = "", second = ""] = file.split(path.sep);
  if (first === "app") return file.split(path.sep).length > 2 ? second : second === "messages.ts" ? "messages" : "top";
  return ["cli", "office", "sandbox", "db"].includes(first) ? first : "top";
}
