import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { sizeName } from "#app/catalog/sizes.ts";
import { someOf } from "#app/infra/text/some-of.ts";
import type { GridRow } from "#app/owner/catalog/stock-grid.server.ts";
import { copyText } from "#app/ui/copy-text.browser.ts";
import { CellContent, cellLook, ProductName } from "./cell.tsx";
import { CellInput } from "./cell-input.browser.tsx";
import { CurrentCell } from "./current-cell.tsx";
import { type Direction, moved } from "./moves.ts";
import {
  type Cell,
  type CellPosition,
  cellAt,
  cellStateOf,
  followed,
  isInside,
  keyOf,
  paste,
  positionsIn,
  rangeOf,
  readBlock,
  readNumber,
} from "./sheet.ts";
import type { SheetEditor } from "./use-sheet.browser.tsx";

type Props = {
  rows: GridRow[];
  sizes: string[];
  editor: SheetEditor;
  mayChange: boolean;
  onSave(): void;
  priceOf(cents: number): ReactNode;
};

/**
 * The stock as a spreadsheet. Arrow keys, Tab and Enter move, typing replaces a number, Shift selects, and blocks can
 * be copied and pasted. Escape ends a selection; pressed again, it moves the focus to the line above the grid.
 */
export function Grid({ rows, sizes, editor, mayChange, onSave, priceOf }: Props) {
  const [at, setAt] = useState<CellPosition>({ row: 0, col: 0 });
  const [anchor, setAnchor] = useState<CellPosition>({ row: 0, col: 0 });
  const [typing, setTyping] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  const [said, setSaid] = useState("");
  const [known, setKnown] = useState(rows);
  if (known !== rows) {
    // The rows may change while a member works. The cursor stays on its product, even if the product moves to another
    // row.
    const [place, other] = [followed(at, known, rows), followed(anchor, known, rows)];
    setKnown(rows);
    if (place) setAt(place);
    if (place || other) setAnchor(other ?? place ?? anchor);
    if (!place && typing !== undefined) {
      setSaid(`${known[at.row]?.title} is no longer in this list; “${typing}” was not taken.`);
      setTyping(undefined);
    }
  }
  const table = useRef<HTMLTableElement>(null);
  const history = useRef<HTMLAnchorElement>(null);
  const focusNext = useRef(false);
  const saveNext = useRef(false);
  const isDragging = useRef(false);
  const last = { row: Math.max(0, rows.length - 1), col: sizes.length - 1 };
  const here = { row: Math.min(at.row, last.row), col: Math.min(at.col, last.col) };
  const range = rangeOf({ row: Math.min(anchor.row, last.row), col: Math.min(anchor.col, last.col) }, here);
  const find = (place: CellPosition) => cellAt(rows, sizes, place);
  const shown = (cell: Cell) => cellStateOf(cell, editor.sheet.edits.get(keyOf(cell))).value;

  useEffect(() => {
    if (!focusNext.current || typing !== undefined) return;
    focusNext.current = false;
    table.current?.querySelector<HTMLElement>(`[data-cell="${here.row} ${here.col}"]`)?.focus();
  });
  useEffect(() => {
    if (!saveNext.current) return;
    saveNext.current = false;
    onSave();
  });
  useEffect(() => {
    const stop = () => {
      isDragging.current = false;
    };
    addEventListener("pointerup", stop);
    return () => removeEventListener("pointerup", stop);
  }, []);

  const go = (place: CellPosition, isExtending = false) => {
    setAt(place);
    if (!isExtending) setAnchor(place);
    setSaid("");
    focusNext.current = true;
  };
  const move = (direction: Direction, isExtending = false) => go(moved(here, direction, last), isExtending);
  const begin = (text: string) => {
    if (!mayChange || !find(here)) return;
    setWrong(false);
    setTyping(text);
  };
  const commit = (direction?: Direction): boolean => {
    const cell = find(here);
    const typed = cell && readNumber(typing ?? "", cell.onHand);
    setWrong(typed === null);
    if (typed === null) {
      setSaid(`“${typing}” isn’t a number of pieces: write 12, or +5 to add five.`);
      return false;
    }
    if (cell) editor.type([{ cell, typed }]);
    setTyping(undefined);
    if (direction) move(direction);
    return true;
  };
  const commitAndSave = (): boolean => {
    const isNumber = commit();
    focusNext.current ||= isNumber;
    saveNext.current = isNumber;
    return isNumber;
  };
  const giveUp = () => {
    setTyping(undefined);
    setWrong(false);
    setSaid("");
    focusNext.current = true;
  };
  const takeBack = () => {
    const cells = positionsIn(range).flatMap((place) => find(place) ?? []);
    editor.type(cells.map((cell) => ({ cell, typed: undefined })));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (typing !== undefined || !isCell(event.target)) return;
    const act = actionOf(event);
    if (!act) return;
    if (act === "leave") return; // Tab moves to what follows the grid
    event.preventDefault();
    act();
  };
  function actionOf(event: KeyboardEvent): (() => void) | "leave" | undefined {
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const letter = key.toLowerCase();
    if (isCommand && letter === "z") return shiftKey ? editor.redo : editor.undo;
    if (isCommand && letter === "y") return editor.redo;
    if (isCommand && (letter === "s" || key === "Enter")) return onSave;
    if (isCommand && letter === "c") return copy;
    if (isCommand && letter === "a") {
      return () => {
        setAnchor({ row: 0, col: 0 });
        setAt(last);
        focusNext.current = true;
      };
    }
    if (key === "Tab") {
      const isEdge = shiftKey ? here.row + here.col === 0 : here.row === last.row && here.col === last.col;
      return isEdge ? "leave" : () => move(shiftKey ? "back" : "on");
    }
    if (key === "Enter") return () => move(shiftKey ? "up" : "down");
    const direction = directionOf(key, isCommand);
    if (direction) return () => move(direction, shiftKey);
    if (isCommand || event.altKey) return;
    if (key === "F2") return () => begin(String(shownAt(here) ?? ""));
    if (key === "Delete" || key === "Backspace") return mayChange ? takeBack : undefined;
    if (key === "Escape") return () => (positionsIn(range).length > 1 ? go(here) : history.current?.focus());
    if (/^[\d+-]$/.test(key)) return () => begin(key);
    return;
  }
  const shownAt = (place: CellPosition) => {
    const cell = find(place);
    return cell && shown(cell);
  };

  const copy = () => {
    const lines = Map.groupBy(positionsIn(range), ({ row }) => row);
    const text = [...lines.values()].map((line) => line.map((place) => shownAt(place) ?? "").join("\t")).join("\n");
    const cells = count(positionsIn(range).length, "cell");
    // Written to the clipboard here, because browsers fire no copy event without selected text.
    void copyText(text).then((isCopied) =>
      setSaid(isCopied ? `${cells} copied.` : "Your browser doesn’t allow copying."),
    );
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!mayChange || !isOwnCell()) return;
    const block = readBlock(event.clipboardData?.getData("text/plain") ?? "");
    if (typing !== undefined && block.length === 1 && block[0]?.length === 1) return;
    event.preventDefault();
    if (typing !== undefined) giveUp();
    const { typings, wrong, outside } = paste(block, range, find);
    editor.type(typings);
    setSaid(pastedWords(typings.length, wrong, outside));
  };
  const isOwnCell = () => {
    const focused = document.activeElement;
    return focused !== null && table.current?.contains(focused) && focused.closest("[data-cell]") !== null;
  };
  useEffect(() => {
    // On the document, because the focused cell has no text selection and does not get the event.
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  });

  return (
    <div className="max-lg:hidden">
      <CurrentCell
        cell={find(here)}
        standing={standingAt(find(here), editor)}
        range={range}
        sumOf={shownAt}
        said={said}
        link={history}
      />
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are walked through is a grid
        role="grid"
        aria-label="Stock"
        aria-multiselectable="true"
        aria-readonly={!mayChange}
        aria-rowcount={rows.length + 1}
        className="mt-2 w-full border-collapse select-none"
        onKeyDown={onKeyDown}
      >
        <thead className="text-[0.8125rem] text-muted">
          <tr className="[&>th]:h-9 [&>th]:border-b [&>th]:border-field [&>th]:font-[550]">
            <th scope="col" className="text-left">
              Product
            </th>
            <th scope="col" className="pr-3 text-right">
              Price
            </th>
            {sizes.map((size) => (
              <th key={size} scope="col" className="w-19 px-2.5 text-right">
                {sizeName(size)}
              </th>
            ))}
            <th scope="col" className="w-17 pl-2.5 text-right">
              All
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((product, row) => (
            <tr key={product.id} className="[&>*]:h-13 [&>*]:border-b [&>*]:border-hairline">
              <th scope="row" className="text-left font-normal">
                <ProductName product={product} />
              </th>
              <td className="pr-3 text-right leading-4.5 tabular-nums">{priceOf(product.priceCents)}</td>
              {sizes.map((size, col) => {
                const place = { row, col };
                const cell = find(place);
                const standing = standingAt(cell, editor);
                const isHere = row === here.row && col === here.col;
                return (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: as the table is a grid, its cells are gridcells
                  <td
                    key={size}
                    data-cell={`${row} ${col}`}
                    tabIndex={isHere && typing === undefined ? 0 : -1}
                    aria-selected={isInside(range, place)}
                    aria-readonly={!cell || !mayChange || undefined}
                    aria-invalid={standing?.isBelow || standing?.isChanged || undefined}
                    className={`${cellLook(cell, standing, isInside(range, place))} [&>span]:px-2.5`}
                    onFocus={() => {
                      if (isHere) return;
                      setAt(place);
                      setAnchor(place);
                    }}
                    onMouseDown={(event) => {
                      if (isCellInput(event.target)) return;
                      if (typing !== undefined && !commit()) return event.preventDefault();
                      isDragging.current = true;
                      go(place, event.shiftKey);
                    }}
                    onMouseEnter={() => isDragging.current && go(place, true)}
                    onDoubleClick={() => begin(String(shownAt(place) ?? ""))}
                  >
                    {isHere && typing !== undefined && cell ? (
                      <CellInput
                        label={`${product.title} ${sizeName(size)}`}
                        text={typing}
                        isWrong={isWrong}
                        onChange={setTyping}
                        commit={commit}
                        commitAndSave={commitAndSave}
                        giveUp={giveUp}
                      />
                    ) : (
                      <CellContent cell={cell} standing={standing} />
                    )}
                  </td>
                );
              })}
              <td className="pl-2.5 text-right tabular-nums">{allOf(product, shownIn(editor))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function standingAt(cell: Cell | undefined, { sheet }: SheetEditor) {
  return cell && cellStateOf(cell, sheet.edits.get(keyOf(cell)));
}

const shownIn = (editor: SheetEditor) => (cell: Cell) => standingAt(cell, editor)?.value ?? 0;

function allOf({ id, title, sizes }: GridRow, shown: (cell: Cell) => number): number {
  return sizes.reduce((sum, size) => sum + shown({ ...size, id, title }), 0);
}

const isCell = (target: EventTarget) => target instanceof HTMLElement && target.dataset.cell !== undefined;
const isCellInput = (target: EventTarget) => target instanceof HTMLInputElement;

function directionOf(key: string, isCommand: boolean): Direction | undefined {
  if (key === "Home") return isCommand ? "first" : "row-start";
  if (key === "End") return isCommand ? "last" : "row-end";
  if (key === "PageUp" || key === "PageDown") return key === "PageUp" ? "page-up" : "page-down";
  const arrows: Record<string, [Direction, Direction]> = {
    ArrowUp: ["up", "top"],
    ArrowDown: ["down", "bottom"],
    ArrowLeft: ["left", "row-start"],
    ArrowRight: ["right", "row-end"],
  };
  return arrows[key]?.[isCommand ? 1 : 0];
}

function pastedWords(pasted: number, wrong: string[], outside: number): string {
  const parts = [
    `${count(pasted, "cell")} pasted.`,
    wrong.length > 0 && `Left out, as it isn’t a number of pieces: ${someOf(wrong, { most: 3 })}.`,
    outside > 0 && `${count(outside, "number")} had no cell here.`,
  ];
  return parts.filter(Boolean).join(" ");
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
