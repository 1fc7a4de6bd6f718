import { useContext } from "react";
import { Field } from "../frame/field.tsx";
import { ShopZone } from "../frame/times.tsx";
import type { Draft } from "./draft.ts";

const STATES = [
  { state: "draft", title: "Draft" },
  { state: "published", title: "Published" },
  { state: "at", title: "At a time" },
] as const;

type Props = {
  shown: Draft["shown"];
  finalSale: boolean;
  problem?: string;
  isReadOnly: boolean;
  onChange(change: Partial<Pick<Draft, "shown" | "finalSale">>): void;
};

/** Whether shoppers see it: never, now, or from a moment on. */
export function InTheShop({ shown, finalSale, problem, isReadOnly, onChange }: Props) {
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
            {title}
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
      <label className="tick mt-2">
        <input
          type="checkbox"
          name="finalSale"
          checked={finalSale}
          onChange={({ target }) => onChange({ finalSale: target.checked })}
        />
        Final sale: cannot come back
      </label>
    </fieldset>
  );
}
