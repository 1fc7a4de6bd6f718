import { useContext } from "react";
import { FLAG_NAMES, FLAGS, type FlagName } from "#app/catalog/product-fields.ts";
import { Field } from "../frame/field.tsx";
import { ShopZone } from "../frame/times.tsx";
import type { Draft } from "./draft.ts";

const STATES = [
  { state: "draft", title: "Draft" },
  { state: "published", title: "Published" },
  { state: "at", title: "At a time" },
] as const;

type InTheShopDraft = Pick<Draft, "shown" | FlagName>;
type Props = {
  draft: InTheShopDraft;
  problem?: string;
  isReadOnly: boolean;
  onChange(change: Partial<InTheShopDraft>): void;
};

/** Whether shoppers see the product: never, now, or from a given time on; and the product's flags. */
export function InTheShop({ draft, problem, isReadOnly, onChange }: Props) {
  const { shown } = draft;
  const zone = useContext(ShopZone);
  return (
    <fieldset disabled={isReadOnly} className="mt-7">
      <legend className="mb-3 text-base font-[680]">In the shop</legend>
      <div className="inline-flex rounded-cut border border-field bg-white">
        {STATES.map(({ state, title }) => (
          <label
            key={state}
            className="grid min-h-11 cursor-pointer place-items-center px-3.5 font-medium has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-2 has-focus-visible:outline-offset-2 not-first:border-l not-first:border-hairline lg:min-h-9"
          >
            <input
              type="radio"
              name="state"
              value={state}
              checked={shown.state === state}
              onChange={() => onChange({ shown: { ...shown, state } })}
              className="sr-only"
            />
            {title}{" "}
          </label>
        ))}
      </div>
      {shown.state === "at" && (
        <div className="mt-3 max-w-64">
          <Field label="From" note={zone} problem={problem}>
            <input
              type="datetime-local"
              name="at"
              value={shown.at}
              onChange={({ target }) => onChange({ shown: { ...shown, at: target.value } })}
              className="input"
            />
          </Field>
        </div>
      )}
      {FLAG_NAMES.map((name) => (
        <label key={name} className="tick mt-2">
          <input
            type="checkbox"
            name={name}
            checked={draft[name]}
            onChange={({ target }) => onChange({ [name]: target.checked })}
          />
          {FLAGS[name].label}
        </label>
      ))}
    </fieldset>
  );
}
