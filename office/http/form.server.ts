import { data } from "react-router";
import { postedText, tooLarge } from "#app/infra/http/form-post.server.ts";
import { type FormSize, fieldsIn, SMALL_FORM, UnreadableForm } from "#app/infra/http/form-reader.server.ts";

const KB = 1024;
export const MB = 1024 * KB;
/**
 * The default limits of a form: those of the shop, with more bytes for long texts. Forms with lists, tables or files
 * have their own limits.
 */
export const OFFICE_FORM: FormSize = { ...SMALL_FORM, bytes: 256 * KB };

/** The largest form in bytes: a table of many products, or a phone's photograph. */
export const MOST_POSTED = 30 * MB;

/** Called with each field as soon as it is read. It may return new limits for the rest of the form. */
type OnField = (name: string, value: string | File) => FormSize | undefined;

/**
 * A posted form, with texts normalized by `postedText`. Throws a 400 response if the body is not a form, and 413 if it
 * is too large.
 */
export async function postedForm(request: Request, size = OFFICE_FORM, onField?: OnField): Promise<FormData> {
  const form = new FormData();
  let allowed = size;
  try {
    for await (const [name, value] of fieldsIn(request, () => allowed)) {
      form.append(name, typeof value === "string" ? postedText(name, value) : value);
      allowed = onField?.(name, value) ?? allowed;
    }
    return form;
  } catch (error) {
    if (!(error instanceof UnreadableForm)) throw error;
    throw error.why === "no-form" ? data(null, 400) : tooLarge();
  }
}

/** The fields by name. A name that occurs several times becomes a list; a name that ends with [] is always a list. */
export function fieldsOf(form: FormData): Record<string, unknown> {
  const groups = Map.groupBy(form, ([name]) => name); // one pass, even for a form with a million fields
  return Object.fromEntries(
    [...groups].map(([name, entries]) => {
      const values = entries.map(([, value]) => value);
      return name.endsWith("[]") ? [name.slice(0, -2), values] : [name, values.length > 1 ? values : values[0]];
    }),
  );
}
