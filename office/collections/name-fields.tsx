import { NAME_MAX, WORDS_MAX } from "#app/owner/collections/collection.ts";
import { Field, TextField } from "../frame/field.tsx";

type Props = { values?: { name?: string; words?: string }; problems: Record<string, string> };

/** The fields for the name and the words of a collection. */
export function NameFields({ values, problems }: Props) {
  return (
    <>
      <TextField label="Name" problem={problems.name} name="name" defaultValue={values?.name} maxLength={NAME_MAX} />
      <Field label="A sentence or two below it" note="optional" problem={problems.words}>
        <textarea name="words" rows={3} defaultValue={values?.words} maxLength={WORDS_MAX} className="input" />
      </Field>
    </>
  );
}
