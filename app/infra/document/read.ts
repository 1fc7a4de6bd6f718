import { z } from "zod";

/** A field of a document that does not fit, and why. */
export type Misfit = { field: string; reason: string };
/** The result of importing a document: whether it is new, and which fields were left out. */
export type Imported = { isNew: boolean; leftOut: Misfit[] };
type Path = readonly PropertyKey[];

/**
 * Reads a document by `reader`, which throws a ZodError for bad fields. `entryOf` returns the path of the optional
 * entry that a bad field belongs to, if any: the entry is left out. A bad field elsewhere makes the whole document
 * unreadable: there is no value.
 */
export function readDocument<T>(
  reader: (given: unknown) => T,
  given: unknown,
  entryOf: (bad: Path) => Path | undefined = () => undefined,
): { value?: T; misfits: Misfit[] } {
  const misfits: Misfit[] = [];
  let document = given;
  for (;;) {
    try {
      return { value: reader(document), misfits };
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      const bad = error.issues.flatMap(badFields);
      misfits.push(...bad.map(({ path, reason }) => ({ field: path.map(String).join("."), reason })));
      let rest = document;
      for (const { path } of bad) {
        const entry = entryOf(path);
        if (!entry || !has(document, entry)) return { misfits };
        if (has(rest, entry)) rest = without(rest, entry); // else an earlier misfit has removed the entry already
      }
      document = rest;
    }
  }
}

/** One field for each unknown key, otherwise the field that the issue is about. */
function badFields(issue: z.core.$ZodIssue): { path: PropertyKey[]; reason: string }[] {
  if (issue.code !== "unrecognized_keys") return [{ path: issue.path, reason: issue.message }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], reason: "is not known here" }));
}

function has(document: unknown, [key, ...rest]: Path): boolean {
  if (key === undefined) return true;
  return isObject(document) && Object.hasOwn(document, key) && has(document[key], rest);
}

function without(document: unknown, [key = "", ...rest]: Path): unknown {
  if (!isObject(document)) return document;
  const { [key]: inner, ...others } = document;
  return rest.length === 0 ? others : { ...document, [key]: without(inner, rest) };
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
