import { data } from "react-router";
import { storableText } from "#app/infra/storable-text.ts";

/** A posted form, its texts without what the database cannot keep. Ends with 400 where the body is none. */
export async function postedForm(request: Request): Promise<FormData> {
  const given = await request.formData().catch((error) => {
    throw error instanceof TypeError ? data(null, 400) : error;
  });
  const form = new FormData();
  for (const [name, value] of given) form.append(name, typeof value === "string" ? storableText(value) : value);
  return form;
}

/** A name that comes several times is a list; one that ends with [] always is. */
export function fieldsOf(form: FormData): Record<string, unknown> {
  const groups = Map.groupBy(form, ([name]) => name); // each looked up by its name would take a day, of a million
  return Object.fromEntries(
    [...groups].map(([name, entries]) => {
      const values = entries.map(([, value]) => value);
      return name.endsWith("[]") ? [name.slice(0, -2), values] : [name, values.length > 1 ? values : values[0]];
    }),
  );
}
