import { useState } from "react";
import { fileText } from "#app/infra/document/file-text.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { Field } from "../frame/field.tsx";

type Props = {
  /** The accepted files: the input's `accept` attribute, and the same in words. */
  accept: string;
  kinds: string;
  /** The rows in the form, and the handler of a change. */
  text: string;
  onText(text: string): void;
  placeholder: string;
  problem?: string;
};

/** The fields of an import: a file, whose rows are then in the form, or rows that are pasted. */
export function FileRows({ accept, kinds, text, onText, placeholder, problem }: Props) {
  const [fileProblem, setFileProblem] = useState<string>();
  const isHydrated = useHydrated();
  return (
    <>
      <Field label="File" note={kinds} problem={fileProblem}>
        <input
          type="file"
          accept={accept}
          onChange={async ({ target }) => {
            const [chosen] = target.files ?? [];
            if (!chosen) return;
            const read = fileText(new Uint8Array(await chosen.arrayBuffer()));
            setFileProblem("problem" in read ? `${chosen.name} ${read.problem}.` : undefined);
            if ("text" in read) onText(read.text);
          }}
          className="input"
        />
      </Field>
      <Field label="Rows" note="or paste them" problem={problem}>
        <textarea
          name="text"
          rows={8}
          value={text}
          readOnly={!isHydrated}
          onChange={({ target }) => onText(target.value)}
          placeholder={placeholder}
          spellCheck={false}
          className="input font-mono"
        />
      </Field>
    </>
  );
}
