import { type ChangeEvent, cloneElement, type ReactElement } from "react";
import type { ShopValueName } from "#app/owner/shop/settings.ts";
import { Choice, ConflictNotice } from "../conflict/notice.tsx";
import type { useDraft } from "../conflict/use-draft.browser.ts";
import { Field } from "../frame/field.tsx";

/** An input without its name and text, which the field adds. */
export type ValueInput = ReactElement<{
  name?: string;
  autoComplete?: string;
  value?: string;
  onChange?(event: Pick<ChangeEvent<HTMLInputElement>, "target">): void;
}>;
/** The values as the form shows them. */
export type Texts = Record<ShopValueName, string>;
export type ValuesDraft = ReturnType<typeof useDraft<Texts>>;
type Props = {
  name: ShopValueName;
  label: string;
  note: string;
  problem?: string;
  draft: ValuesDraft;
  /** The stored texts. */
  theirs: Texts;
  children: ValueInput;
};

/**
 * A field for one of the shop's values. If another member has changed the same value, both are shown, and one has to be
 * chosen.
 */
export function ValueField({ name, label, note, problem, draft, theirs, children }: Props) {
  const { mine, open, set, keepMine, takeTheirs } = draft;
  return (
    <div>
      <Field label={label} note={note} problem={problem}>
        {cloneElement(children, {
          name,
          autoComplete: "off",
          value: mine[name],
          onChange: ({ target }) => set({ [name]: target.value }),
        })}
      </Field>
      {open.includes(name) && (
        <ConflictNotice
          head="Somebody else has changed this."
          choice={<Choice about={label} onMine={() => keepMine(name)} onTheirs={() => takeTheirs(name)} />}
        >
          <p className="whitespace-pre-line wrap-anywhere">
            Theirs: <span>{theirs[name].replace(/^([\d-]{10})T/, "$1 ") || "none"}</span>
          </p>
        </ConflictNotice>
      )}
    </div>
  );
}
