/** Characters that the database cannot store: NUL, and half of a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

export function storableText(text: string): string {
  return text.replace(UNSTORABLE, "");
}

/** Whether a key names an object's prototype: code that copies properties could change all objects by it. */
function namesPrototype(key: string, value: unknown): boolean {
  return key === "__proto__" || (key === "constructor" && Object.hasOwn(Object(value), "prototype"));
}

/** More values than a guest's cart has. */
const MANY_VALUES = 4000;

/**
 * Parses JSON. Undefined if it is invalid, may hold more than `most` values, holds a text that cannot be stored, or
 * names a prototype.
 */
export function readStorableJson(json: string, most = MANY_VALUES): unknown {
  if (mayHoldMore(json, most)) return undefined;
  try {
    return JSON.parse(json, (key, value) => {
      if (namesPrototype(key, value)) throw new Error("names a prototype");
      for (const text of [key, value])
        if (typeof text === "string" && text !== storableText(text)) throw new Error("not storable");
      return value;
    });
  } catch {
    return undefined; // also for JSON that is nested too deeply
  }
}

/**
 * Estimates the number of values before parsing: each of these characters begins a value or separates two. Characters
 * in texts are counted as well, so the estimate may be too high.
 */
function mayHoldMore(json: string, most: number): boolean {
  let values = 0;
  for (const _ of json.matchAll(/[,[{]/g)) if (++values > most) return true;
  return false;
}
