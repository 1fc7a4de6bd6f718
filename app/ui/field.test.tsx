import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Field, PasswordField, SelectField } from "./field.tsx";

type Texts = { hint?: string; error?: string };

/** The texts that describe a field to a screen reader, in their order, and whether the field is marked as invalid. */
function described(html: string) {
  const [, ids = ""] = /aria-describedby="([^"]*)"/.exec(html) ?? [];
  const texts = ids.split(" ").map((id) => new RegExp(`<p id="${id}"[^>]*>([^<]*)</p>`).exec(html)?.[1]);
  return { texts: ids ? texts : [], isInvalid: html.includes('aria-invalid="true"') };
}

test.each<[string, (texts: Texts) => React.ReactNode]>([
  ["a field", (texts) => <Field label="City" {...texts} />],
  ["a password", (texts) => <PasswordField label="Password" {...texts} />],
  ["a choice", (texts) => <SelectField label="State" {...texts} />],
])("%s is described by its hint and by its error", (_, field) => {
  const [hint, error] = ["At least 8 letters", "Too short"];
  const of = (texts: Texts) => described(renderToStaticMarkup(field(texts)));
  expect(of({})).toEqual({ texts: [], isInvalid: false });
  expect(of({ hint })).toEqual({ texts: [hint], isInvalid: false });
  expect(of({ error })).toEqual({ texts: [error], isInvalid: true });
  expect(of({ hint, error })).toEqual({ texts: [hint, error], isInvalid: true });
});
