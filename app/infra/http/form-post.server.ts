import { storableText } from "#app/infra/storable-text.ts";

/** Set by the edge on what the router's own script asks (`/login.data`); whatever a visitor sends under this name is dropped. */
export const SCRIPTED_HEADER = "x-irepo-scripted";

/** Whether a form was posted plainly, as without script: its sender wants a page to go to, not data. */
export function isPlainForm(request: Request): boolean {
  return !request.headers.has(SCRIPTED_HEADER);
}

/** A posted form; an empty one where the body is none. */
export async function postedForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    if (error instanceof TypeError && !request.signal.aborted) return new FormData();
    throw error;
  }
}

/**
 * The text fields of a posted form; files and repeated names make no sense here and are left out, and so is what the database cannot keep.
 */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const form = await postedForm(request);
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts.map(([name, text]) => [name, storableText(text)]));
}
