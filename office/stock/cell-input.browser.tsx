import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Direction } from "./moves.ts";

type Props = {
  label: string;
  text: string;
  isWrong: boolean;
  onChange(text: string): void;
  /** Takes the typed number. Returns false if it is not valid; the input then stays open. */
  commit(direction?: Direction): boolean;
  /** Like `commit`, and saves the whole sheet. */
  commitAndSave(): boolean;
  giveUp(): void;
};

const MOVES: Record<string, [plain: Direction, shifted: Direction]> = {
  Enter: ["down", "up"],
  Tab: ["on", "back"],
  ArrowUp: ["up", "up"],
  ArrowDown: ["down", "down"],
};

/**
 * The input of a cell that is being edited. Enter moves down and Tab to the next cell, as in a spreadsheet. Ctrl+S
 * saves, Escape discards the input.
 */
export function CellInput({ label, text, isWrong, onChange, commit, commitAndSave, giveUp }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const moves = MOVES[event.key];
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") {
      isOver.current = true;
      giveUp();
    } else if (isCommand && (event.key.toLowerCase() === "s" || event.key === "Enter")) {
      event.preventDefault();
      isOver.current = commitAndSave();
    } else if (moves) {
      event.preventDefault();
      isOver.current = commit(moves[event.shiftKey ? 1 : 0]);
    }
  };
  return (
    <input
      ref={field}
      value={text}
      inputMode="numeric"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      maxLength={12}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => isOver.current || commit()}
      className="absolute inset-0 w-full bg-white px-2.5 text-right font-semibold tabular-nums outline-2 -outline-offset-2 outline-ink aria-[invalid]:text-error aria-[invalid]:outline-error"
    />
  );
}
