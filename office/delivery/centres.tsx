import { useState } from "react";
import type { Rate } from "#app/money/exchange-rate.ts";
import { approximateNaira } from "#app/money/exchange-rate.ts";
import { formatApproximateNaira } from "#app/money/format.ts";
import { centsFromDollars } from "#app/money/money.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { FIELD_TITLES, type PlaceField } from "./draft.ts";
import type { Drafts } from "./drafts.ts";
import { OthersNotice } from "./others-notice.tsx";

type Props = {
  names: string[];
  states: string[];
  drafts: Drafts;
  rate: Rate;
  problems: Record<string, string>;
  mayChange: boolean;
};

/** The pick-up centres. Each can be opened to edit its address, its opening hours and what to bring. */
export function Centres({ names, states, drafts, rate, problems, mayChange }: Props) {
  const [open, setOpen] = useState("");
  const added = drafts.all.flatMap(({ kind, name, was }) =>
    kind === "pickup" && !was && !names.includes(name) ? [name] : [],
  );
  return (
    <>
      <ul aria-label="Pick-up centres" className="border-t border-hairline">
        {[...added, ...names].map((name) => (
          <Centre
            key={name}
            name={name}
            isOpen={open === name}
            states={states}
            drafts={drafts}
            rate={rate}
            problem={problems[`pickup ${name}`]}
            mayChange={mayChange}
          />
        ))}
      </ul>
      {mayChange && (
        <NewCentre
          taken={[...names, ...added]}
          onAdd={(name) => {
            drafts.change("pickup", name, { dollars: "" });
            setOpen(name);
          }}
        />
      )}
    </>
  );
}

function NewCentre({ taken, onAdd }: { taken: string[]; onAdd(name: string): void }) {
  const [name, setName] = useState("");
  const said = name.trim();
  const isTaken = taken.some((one) => one.toLowerCase() === said.toLowerCase());
  return (
    <div className="mt-5 flex max-w-120 flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1">
        <Field
          label="Add a centre"
          note="its name stays"
          problem={isTaken ? "There’s already one with this name" : undefined}
        >
          <input value={name} onChange={({ target }) => setName(target.value)} maxLength={100} className="input" />
        </Field>
      </div>
      <Button
        type="button"
        look="line"
        isDisabled={said === "" || isTaken}
        onPress={() => {
          onAdd(said);
          setName("");
        }}
      >
        Add
      </Button>
    </div>
  );
}

type CentreProps = Omit<Props, "names" | "problems"> & { name: string; isOpen: boolean; problem?: string };

function Centre({ name, isOpen, states, drafts, rate, problem, mayChange }: CentreProps) {
  const isHydrated = useHydrated();
  const draft = drafts.of("pickup", name);
  const current = drafts.current("pickup", name);
  const of = (field: PlaceField) => drafts.text("pickup", name, field);
  const dollars = of("dollars");
  const cents = centsFromDollars(dollars);
  const text = (field: PlaceField, note?: string) => (
    <Field label={FIELD_TITLES[field]} note={note}>
      <input
        value={of(field)}
        readOnly={!mayChange || !isHydrated}
        maxLength={300}
        onChange={({ target }) => drafts.change("pickup", name, { [field]: target.value })}
        className="input"
      />
    </Field>
  );
  return (
    <li className="border-b border-hairline">
      <details className="group" open={isOpen}>
        <summary className="grid min-h-16 cursor-pointer grid-cols-[minmax(0,1fr)_auto_1.25rem] items-center gap-x-4 py-2 hover:bg-chosen">
          <span className="min-w-0">
            <span className={`block truncate text-[0.9375rem] font-semibold ${draft?.isGone ? "line-through" : ""}`}>
              {name}
              {draft && (
                <span className="font-normal text-waiting">
                  {" "}
                  <span>{draft.isGone ? "goes" : "changed"}</span>
                </span>
              )}
            </span>
            <span className="block truncate text-muted">
              {[of("address"), of("hours")].filter(Boolean).join(" · ") || "No address yet"}
            </span>
          </span>
          <span className="text-right tabular-nums">
            <span className="block font-semibold">{dollars && `$${dollars}`}</span>
            <span className="block text-muted">
              {cents !== undefined && formatApproximateNaira(approximateNaira(cents, rate))}
            </span>
          </span>
          <ChevronIcon className="size-5 text-muted group-open:rotate-180" />
        </summary>
        <div className="grid gap-4 pt-2 pb-5 sm:grid-cols-2 lg:max-w-200">
          <Field
            label={FIELD_TITLES.dollars}
            note="in dollars"
            problem={problem ?? (dollars !== "" && cents === undefined ? "Dollars, like 3.50" : undefined)}
          >
            <input
              value={dollars}
              readOnly={!mayChange || !isHydrated}
              inputMode="decimal"
              onChange={(event) => drafts.change("pickup", name, { dollars: event.target.value })}
              className="input tabular-nums"
            />
          </Field>
          <Field label={FIELD_TITLES.state}>
            <select
              value={of("state")}
              disabled={!mayChange || !isHydrated}
              onChange={(event) => drafts.change("pickup", name, { state: event.target.value })}
              className="input"
            >
              <option value="">Choose one</option>
              {[...new Set([...states, ...(of("state") ? [of("state")] : [])])].map((state) => (
                <option key={state}>{state}</option>
              ))}
            </select>
          </Field>
          {text("address")}
          {text("landmark", "optional")}
          {text("hours", "like Mon-Sat 9:00-18:00")}
          {text("bring", "optional")}
          {mayChange && (
            <p className="sm:col-span-2">
              <Button
                type="button"
                look="quiet"
                onPress={() =>
                  draft?.isGone || !current
                    ? drafts.drop({ kind: "pickup", name })
                    : drafts.change("pickup", name, { isGone: true })
                }
              >
                {draft?.isGone ? "Keep it" : `Remove ${name}`}
              </Button>
            </p>
          )}
        </div>
      </details>
      {draft && <OthersNotice draft={draft} drafts={drafts} />}
    </li>
  );
}
