import { type ChangeEvent, cloneElement, type ReactElement } from "react";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Notice } from "../frame/notice.tsx";
import type { TypedValue } from "./use-values.browser.ts";

/** An input without its name and text, which the field adds. */
export type ValueInput = ReactElement<{
  name?: string;
  autoComplete?: string;
  value?: string;
  onChange?(event: Pick<ChangeEvent<HTMLInputElement>, "target">): void;
}>;
type Props = { label: string; note: string; problem?: string; value: TypedValue; children: ValueInput };

/**
 * A field for one of the shop's values. If another member has changed the same value, both are shown, and one has to be
 * chosen.
 */
export function ValueField({ label, note, problem, value, children }: Props) {
  const { name, text, theirs, set, keepMine, takeTheirs } = value;
  return (
    <div>
      <Field label={label} note={note} problem={problem}>
        {cloneElement(children, {
          name,
          autoComplete: "off",
          value: text,
          onChange: ({ target }) => set(target.value),
        })}
      </Field>
      {theirs !== undefined && (
        <Notice
          kind="conflict"
          actions={
            <>
              <Button type="button" look="line" aria-label={`Keep mine (${label})`} onPress={keepMine}>
                Keep mine
              </Button>
              <Button type="button" look="line" aria-label={`Take theirs (${label})`} onPress={takeTheirs}>
                Take theirs
              </Button>
            </>
          }
        >
          <strong className="font-semibold">Somebody else has changed this.</strong> What you typed is still here, and
          hasn’t been saved.
          <p className="whitespace-pre-line wrap-anywhere">
            Theirs: <span>{theirs.replace(/^([\d-]{10})T/, "$1 ") || "none"}</span>
          </p>
        </Notice>
      )}
    </div>
  );
}
