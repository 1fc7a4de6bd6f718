import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { sizeName } from "../sizes.ts";
import { fitOf, fitText } from "./fit.ts";
import { inches, type SizeGuideTable } from "./guide.ts";
import { keepMeasures, useOwnMeasures } from "./kept.browser.ts";
import { isPossible, type Measure, measureKey, readMeasure, textIn, UNITS, type Unit } from "./measure.ts";
import { GuideParts } from "./parts.tsx";

/**
 * The content of the dialog for an owner's size guide: the table in one unit, and the shopper's own measures, which
 * mark the size that fits. It stands within the form that adds to the cart, so it has no form and no ticked fields of
 * its own.
 */
export function OwnGuide({ guide }: { guide: SizeGuideTable }) {
  const own = useOwnMeasures();
  const [unit, setUnit] = useState<Unit>(() => own.values().next().value?.unit ?? "cm");
  const fit = fitOf(guide, own);
  const near = fit?.kind === "fits" ? fit.sizes : [];
  const mark = near.length === 1 ? "Your size" : "Near yours";
  return (
    <div className="grid grid-cols-1 gap-6">
      <UnitSwitch unit={unit} onChange={setUnit} />
      <GuideParts guide={guide} caption={`Measures of each size in ${UNITS[unit]}`}>
        {guide.sizes.map(({ size, cm: values }) => (
          <tr key={size} className={near.includes(size) ? "bg-linen font-semibold" : ""}>
            <th scope="row">
              <span>{sizeName(size)}</span>{" "}
              {near.includes(size) && <span className="ml-1 font-normal text-palm">{mark}</span>}
            </th>
            {values.map((cm, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
              <td key={index}>{`${unit === "cm" ? cm : inches(cm)} ${unit}`}</td>
            ))}
          </tr>
        ))}
      </GuideParts>
      <YourMeasures guide={guide} own={own} unit={unit} said={fit ? fitText(fit) : ""} />
    </div>
  );
}

type SwitchProps = { unit: Unit; onChange(unit: Unit): void };

function UnitSwitch({ unit, onChange }: SwitchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons are no fields
    <div role="group" aria-label="Unit" className="flex gap-2">
      {(Object.keys(UNITS) as Unit[]).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === unit}
          onClick={() => onChange(one)}
          className="min-h-11 rounded-cut border border-ink/50 px-4 font-semibold hover:border-ink aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-paper forced-colors:aria-pressed:border-4"
        >
          {one === "cm" ? "cm" : "Inches"}
        </button>
      ))}
    </div>
  );
}

/** A field's text, and the unit in which it was typed. */
type Typed = { text: string; unit: Unit };
type OwnProps = {
  guide: SizeGuideTable;
  own: ReadonlyMap<string, Measure>;
  unit: Unit;
  /** The size that fits, in words; empty if nothing was measured yet. */
  said: string;
};

/** A field for each measure of the guide. What was typed stays while the unit changes. */
function YourMeasures({ guide, own, unit, said }: OwnProps) {
  const title = useId();
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<ReadonlyMap<string, Typed>>(new Map());
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (problems.size > 0) box.current?.querySelector<HTMLInputElement>("[aria-invalid]")?.focus();
  }, [problems]);
  const keys = guide.measures.map(({ name }) => measureKey(name));

  const save = () => {
    const { measures, problems: wrong } = readTyped(keys, typed, own);
    setProblems(wrong);
    if (wrong.size > 0) return;
    keepMeasures(measures);
    setTyped(new Map());
  };
  const remove = () => {
    keepMeasures(new Map());
    setTyped(new Map());
    setProblems(new Map());
    box.current?.querySelector("input")?.focus(); // the pressed button goes
  };
  // Enter would send the form that adds to the cart.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of the form around it
    <div
      ref={box}
      role="group"
      aria-labelledby={title}
      className="grid gap-4 border-t border-hairline pt-5 wrap-anywhere"
    >
      <div>
        <h3 id={title} className="font-semibold">
          Your measures
        </h3>
        <p className="text-sm text-muted">We mark the size that fits. They stay in this browser: we never see them.</p>
        <p role="status" className="mt-2 font-semibold text-palm">
          {said}
        </p>
      </div>
      <div className="grid grid-cols-2 gap-4">
        {guide.measures.map(({ name }) => {
          const key = measureKey(name);
          return (
            <Field
              key={key}
              label={`${name}, ${unit}`}
              value={shownText(typed.get(key), own.get(key), unit)}
              onChange={({ target }) => setTyped(new Map(typed).set(key, { text: target.value, unit }))}
              onKeyDown={onKeyDown}
              error={problems.get(key)}
              inputMode="decimal"
              autoComplete="off"
              maxLength={10}
            />
          );
        })}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="button" onClick={save}>
          Save my measures
        </Button>
        {own.size > 0 && (
          <Button type="button" look="outline" onClick={remove}>
            Remove them
          </Button>
        )}
      </div>
    </div>
  );
}

/** The text of a field: the input, otherwise the stored measure in this unit. */
function shownText(typed: Typed | undefined, kept: Measure | undefined, unit: Unit): string {
  if (!typed) return kept ? textIn(unit, kept) : "";
  const value = typed.unit === unit ? undefined : readMeasure(typed.text, 2);
  return value === undefined ? typed.text : textIn(unit, { value, unit: typed.unit });
}

/** All measures, including the typed ones, and the errors of these, by key. An emptied field removes its measure. */
function readTyped(keys: string[], typed: ReadonlyMap<string, Typed>, own: ReadonlyMap<string, Measure>) {
  const measures = new Map(own);
  const problems = new Map<string, string>();
  for (const [key, { text, unit }] of typed) {
    const value = readMeasure(text, 2);
    if (text.trim() === "") measures.delete(key);
    else if (value !== undefined && isPossible({ value, unit })) measures.set(key, { value, unit });
    else problems.set(key, `Type a number like ${unit === "cm" ? "96" : "38.5"}`);
  }
  const [first] = keys;
  const isEmpty = measures.size === 0 && own.size === 0 && problems.size === 0;
  if (isEmpty && first !== undefined) problems.set(first, "Type at least one");
  return { measures, problems };
}
