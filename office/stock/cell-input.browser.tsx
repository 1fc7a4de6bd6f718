import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Direction } from "./moves.ts";

type Props = {
  label: string;
  text: string;
  isWrong: boolean;
  onChange(text: string): void;
  /** False: it is no number, and stays here to be mended. */
  commit(direction?: Direction): boolean;
  /** The same, and all that was typed in the sheet is saved. */
  commitAndSave(): boolean;
  giveUp(): void;
};

const LEADS: Record<string, [plain: Direction, shifted: Direction]> = {
  Enter: ["down", "up"],
  Tab: ["on", "back"],
  ArrowUp: ["up", "up"],
  ArrowDown: ["down", "down"],
};

/** A cell that is being typed into. Enter goes down and Tab on, as in a spreadsheet; Ctrl S saves, Escape gives up. */
export function CellInput({ label, text, isWrong, onChange, commit, commitAndSave, giveUp }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const lead = LEADS[event.key];
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") {
      isOver.current = true;
      giveUp();
    } else if (isCommand && (event.key.toLowerCase() === "s" || event.key === "Enter")) {
      event.preventDefault();
      isOver.current = commitAndSave();
    } else if (lead) {
      event.preventDefault();
      isOver.current = commit(lead[event.shiftKey ? 1 : 0]);
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
