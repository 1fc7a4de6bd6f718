/** What no text of the database has: the character NUL, and half of a pair of surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

export function storableText(text: string): string {
  return text.replace(UNSTORABLE, "");
}

/** Reads JSON; undefined where it is none, and where some text in it could not be stored. */
export function readStorableJson(json: string): unknown {
  try {
    return JSON.parse(json, (key, value) => {
      for (const text of [key, value])
        if (typeof text === "string" && text !== storableText(text)) throw new Error("not storable");
      return value;
    });
  } catch {
    return undefined; // nested too deeply, too
  }
}
