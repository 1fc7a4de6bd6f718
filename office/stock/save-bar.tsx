import { useState } from "react";
import { STOCK_REASONS } from "#app/owner/catalog/stock-edit.ts";
import { ReturnIcon } from "#app/ui/icons.tsx";
import { Button, SaveButton } from "../frame/button.tsx";
import { type Edits, piecesOf } from "./sheet.ts";
import type { SheetEditor } from "./use-sheet.browser.tsx";

const REASON_NAMES: Record<(typeof STOCK_REASONS)[number], string> = {
  delivery: "Delivery",
  count: "Count",
  damage: "Damage",
};
const OTHER = "other";

/** The reason for the stock changes. Guessed from the numbers until the member chooses one. */
export function useReason(edits: Edits) {
  const [chosen, setChosen] = useState<string>();
  const [words, setWords] = useState("");
  const isMore = [...edits.values()].every(({ typed, onHand }) => typed > onHand);
  const choice = chosen ?? (isMore ? "delivery" : "count");
  return {
    choice,
    words,
    setChosen,
    setWords,
    reason: choice === OTHER ? words.trim() : choice,
    forget: () => {
      setChosen(undefined);
      setWords("");
    },
  };
}

type Props = {
  editor: SheetEditor;
  why: ReturnType<typeof useReason>;
  isPending: boolean;
  problem?: string;
  onSave(): void;
};

/** A bar with the unsaved changes and a button that saves all of them. */
export function SaveBar({ editor, why, isPending, problem, onSave }: Props) {
  const { edits, past, future } = editor.sheet;
  const pieces = piecesOf(edits);
  const field =
    "min-h-11 rounded-cut border border-paper/50 bg-ink px-2.5 text-base text-paper lg:min-h-9 lg:text-sm aria-[invalid]:border-2 aria-[invalid]:border-[#f0a08f]";
  if (edits.size === 0 && future.length === 0) return null;
  return (
    <section
      aria-label="Not saved yet"
      className="fixed inset-x-0 bottom-0 z-30 flex flex-wrap items-center gap-2 bg-ink px-4 py-2 pb-[calc(0.5rem+env(safe-area-inset-bottom))] text-paper outline-paper lg:sticky lg:inset-x-auto lg:bottom-4 lg:mx-auto lg:mt-4 lg:w-max lg:rounded-cut lg:py-2.5 lg:shadow-lg"
    >
      <p className="mr-auto leading-4.5 lg:mr-5" role="status">
        <strong className="font-semibold">
          {edits.size === 0 ? "Nothing changed" : `${edits.size} ${edits.size === 1 ? "size" : "sizes"} changed`}
        </strong>
        {edits.size > 0 && (
          <span className="ml-2 tabular-nums">
            <span>{pieces > 0 ? "+" : pieces < 0 ? "−" : "±"}</span>
            {Math.abs(pieces)} <span>{Math.abs(pieces) === 1 ? "piece" : "pieces"}</span>
          </span>
        )}
      </p>
      <Button type="button" look="dark-icon" aria-label="Undo" isDisabled={past.length === 0} onPress={editor.undo}>
        <ReturnIcon className="size-5" />
      </Button>
      <Button type="button" look="dark-icon" aria-label="Redo" isDisabled={future.length === 0} onPress={editor.redo}>
        <ReturnIcon className="size-5 -scale-x-100" />
      </Button>
      {edits.size > 0 && (
        <div className="flex gap-2 max-lg:w-full">
          <select
            aria-label="Reason"
            value={why.choice}
            onChange={(event) => why.setChosen(event.target.value)}
            className={`${field} max-lg:min-w-0 max-lg:flex-1`}
          >
            {STOCK_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {REASON_NAMES[reason]}
              </option>
            ))}
            <option value={OTHER}>Other</option>
          </select>
          {why.choice === OTHER && (
            <input
              aria-label="Which reason"
              placeholder="Which reason"
              value={why.words}
              maxLength={100}
              aria-invalid={problem ? true : undefined}
              onChange={(event) => why.setWords(event.target.value)}
              className={`${field} max-lg:min-w-0 max-lg:flex-1 lg:w-48`}
            />
          )}
          <SaveButton type="button" look="light" isPending={isPending} onPress={onSave} className="max-lg:px-6" />
        </div>
      )}
      {problem && <p className="w-full text-[0.8125rem] font-medium">{problem}</p>}
    </section>
  );
}
