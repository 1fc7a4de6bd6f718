import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { pieceText } from "#app/catalog/sizes.ts";
import { takeLostFocus } from "#app/ui/answers.browser.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import type { CartLine } from "../cart.ts";
import { changeSize } from "./change.browser.ts";

/** The HTML id of the choice of a line's size. */
const choiceId = (id: string, size: string) => `size-${id}-${size}`;

/**
 * The size of a line, among those that can be bought. A choice with the mouse or a finger changes it at once; one with
 * the keyboard waits for the button, because each arrow key chooses the next size. CSS shows the button when another
 * size is chosen, so it is there before the page's code has loaded, too; without JavaScript it is always there.
 */
export function SizeChoice({ line }: { line: CartLine }) {
  const { id, size, sizes } = line;
  const [to, setTo] = useState(size);
  const form = useRef<HTMLFormElement>(null);
  const isByPointer = useRef(false);
  useEarlyInput(form, (early) => early.to && setTo(early.to));
  if (!sizes) return null;

  const change = async (next: string) => {
    if (next === size) return;
    const focusChoice = () => {
      takeLostFocus(document.getElementById(choiceId(id, next)) ?? document.getElementById(choiceId(id, size)));
    };
    const changing = flushSync(() => changeSize(line, next)); // the line of another size replaces this one
    focusChoice();
    if (!(await changing)) setTo(size);
    focusChoice();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change(to);
  };
  const choose = (next: string) => {
    setTo(next);
    if (isByPointer.current) void change(next);
  };
  const all = sizes.some((one) => one.size === size) ? sizes : [{ size }, ...sizes];
  return (
    <form
      ref={form}
      method="post"
      action="/Cart"
      onSubmit={submit}
      className="mr-auto flex flex-wrap items-center gap-2"
    >
      <input type="hidden" name="intent" value="size" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="size" value={size} />
      <span className="relative">
        <select
          id={choiceId(id, size)}
          name="to"
          aria-label={`Size of ${pieceText({ title: line.title, color: line.color })}`}
          value={to}
          onPointerDown={() => {
            isByPointer.current = true;
          }}
          onKeyDown={() => {
            isByPointer.current = false;
          }}
          onChange={({ target }) => choose(target.value)}
          className="h-12 appearance-none rounded-cut border border-ink/50 bg-paper pr-9 pl-3"
        >
          {all.map((one) => (
            <option key={one.size} value={one.size} data-own={one.size === size || undefined}>
              {one.size}
            </option>
          ))}
        </select>
        <ChevronIcon className="pointer-events-none absolute top-1/2 right-2 size-5 -translate-y-1/2" />
      </span>{" "}
      <button
        type="submit"
        aria-label={`Change size: ${pieceText(line)}`}
        className="label min-h-11 underline underline-offset-4 [@media(scripting:enabled)]:[form:has([data-own]:checked)_&]:hidden"
      >
        Change size
      </button>
    </form>
  );
}
