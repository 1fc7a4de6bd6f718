import { type EntryContext, isRouteErrorResponse } from "react-router";
import { storableText } from "#app/infra/text/storable-text.ts";
import { typedText } from "#app/infra/text/typed-text.ts";
import { fieldsIn, SMALL_FORM, UnreadableForm } from "./form-reader.server.ts";

/**
 * Set by the edge on requests of the router's own script (`/login.data`). A header of this name that a visitor sends is
 * dropped.
 */
export const SCRIPTED_HEADER = "x-irepo-scripted";

/** Whether a form was posted without script, so that a page or a redirect has to follow, not data. */
export function isPlainForm(request: Request): boolean {
  return !request.headers.has(SCRIPTED_HEADER);
}

/** The posted form; empty if the body is no form. Throws a response with status 413 if it is too large. */
export async function postedForm(request: Request, size = SMALL_FORM): Promise<FormData> {
  const form = new FormData();
  try {
    for await (const [name, value] of fieldsIn(request, () => size)) form.append(name, value);
    return form;
  } catch (error) {
    if (!(error instanceof UnreadableForm)) throw error;
    if (error.why === "no-form") return new FormData();
    throw tooLarge();
  }
}

export function tooLarge(): Response {
  return new Response("Too large", { status: 413, headers: { "Content-Type": "text/plain" } });
}

/**
 * Whether a form was refused as too large. The router would render a page in response, which costs more than the form.
 */
export function isTooLarge({ staticHandlerContext: { errors } }: EntryContext): boolean {
  return Object.values(errors ?? {}).some((error) => isRouteErrorResponse(error) && error.status === 413);
}

/** Fields of the shop and the office that are kept exactly as they were typed. */
const isPassword = (name: string) => /password$/i.test(name) || name === "current";

/**
 * The text of a form's field, without characters that the database cannot store and, unless it is a password, without
 * invisible ones.
 */
export function postedText(name: string, text: string): string {
  return isPassword(name) ? storableText(text) : typedText(storableText(text));
}

/** The text fields of a posted form, without files; of a repeated name the last value counts. */
export async function readForm(request: Request, size = SMALL_FORM): Promise<Record<string, string>> {
  const form = await postedForm(request, size);
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts.map(([name, text]) => [name, postedText(name, text)]));
}
