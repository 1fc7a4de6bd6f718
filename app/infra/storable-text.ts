/** What no text of the database has: the character NUL, and half of a pair of surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

export function storableText(text: string): string {
  return text.replace(UNSTORABLE, "");
}

/** What belongs to every object: code that copies properties would change all objects by it. */
function namesPrototype(key: string, value: unknown): boolean {
  return key === "__proto__" || (key === "constructor" && Object.hasOwn(Object(value), "prototype"));
}

/** Reads JSON; undefined where it is none, where some text in it could not be stored, and where it names a prototype. */
export function readStorableJson(json: string): unknown {
  try {
    return JSON.parse(json, (key, value) => {
      if (namesPrototype(key, value)) throw new Error("names a prototype");
      for (const text of [key, value])
        if (typeof text === "string" && text !== storableText(text)) throw new Error("not storable");
      return value;
    });
  } catch {
    return undefined; // nested too deeply, too
  }
}
