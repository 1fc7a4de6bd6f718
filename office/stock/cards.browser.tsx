import { type ReactNode, useId, useState } from "react";
import { Button as AriaButton, Dialog, Modal, ModalOverlay } from "react-aria-components";
import { Link } from "react-router";
import { MOST_IN_STOCK, sizeName } from "#app/catalog/sizes.ts";
import type { GridRow } from "#app/owner/catalog/stock-grid.server.ts";
import { MinusIcon, PlusIcon } from "#app/ui/icons.tsx";
import { Button } from "../frame/button.tsx";
import { CellContent, groundOf, Picture } from "./cell.tsx";
import { cellWords } from "./current-cell.tsx";
import { type Cell, type CellState, cellStateOf, keyOf, readNumber } from "./sheet.ts";
import type { SheetEditor } from "./use-sheet.browser.tsx";

type Props = {
  rows: GridRow[];
  editor: SheetEditor;
  mayChange: boolean;
  priceOf(cents: number): ReactNode;
};

/** The stock on a phone: a box for each size. A press opens the product's sizes with a stepper each. */
export function Cards({ rows, editor, mayChange, priceOf }: Props) {
  const [open, setOpen] = useState<string>();
  const product = rows.find(({ id }) => id === open);
  return (
    <>
      <ul className="lg:hidden">
        {rows.map((row) => (
          <li key={row.id} className="border-b border-hairline py-3">
            <div className="flex items-center gap-3">
              <Picture hash={row.image} className="h-15 w-12 flex-none" />
              <span className="min-w-0 flex-1">
                <Link to={`/products/${row.id}`} className="flex min-h-6 items-center text-[0.9375rem] font-semibold">
                  <span className="truncate">{row.title}</span>
                </Link>{" "}
                <span className="block truncate text-muted">
                  {row.color}
                  {row.hidden && <span className="font-medium"> · Hidden</span>}
                </span>
              </span>{" "}
              <span className="text-right leading-5 tabular-nums">{priceOf(row.priceCents)}</span>
            </div>
            <button
              type="button"
              onClick={() => setOpen(row.id)}
              className="mt-2.5 grid w-full grid-cols-5 gap-1.5 text-left"
            >
              <span className="sr-only">Stock of {row.title}: </span>
              {cellsOf(row).map((cell) => (
                <Box key={cell.size} cell={cell} name={sizeName(cell.size)} editor={editor} />
              ))}
            </button>
          </li>
        ))}
      </ul>
      <ModalOverlay
        isDismissable
        isOpen={product !== undefined}
        onOpenChange={(isOpen) => !isOpen && setOpen(undefined)}
        className="fixed inset-0 z-40 flex items-end bg-ink/40 lg:hidden"
      >
        <Modal className="max-h-[85vh] w-full overflow-y-auto bg-paper">
          <Dialog className="px-4 pt-3 pb-[calc(1rem+env(safe-area-inset-bottom))] outline-none" aria-label="Stock">
            {product && (
              <Steppers product={product} editor={editor} mayChange={mayChange} close={() => setOpen(undefined)} />
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  );
}

const cellsOf = ({ id, title, sizes }: GridRow): Cell[] => sizes.map((size) => ({ ...size, id, title }));

function Box({ cell, name, editor }: { cell: Cell; name: string; editor: SheetEditor }) {
  const standing = cellStateOf(cell, editor.sheet.edits.get(keyOf(cell)));
  return (
    <span
      className={`block min-h-14 border border-hairline px-1.5 py-1 text-right text-base leading-5 tabular-nums ${groundOf(cell, standing) || "bg-white"}`}
    >
      <span className="block text-left text-[0.8125rem] leading-4 whitespace-nowrap text-muted">{name}</span>{" "}
      <CellContent cell={cell} standing={standing} />{" "}
    </span>
  );
}

type SteppersProps = Omit<Props, "rows" | "priceOf"> & { product: GridRow; close(): void };

function Steppers({ product, editor, mayChange, close }: SteppersProps) {
  return (
    <>
      <h2 className="mb-1 flex min-h-11 items-center text-lg">{product.title}</h2>
      {cellsOf(product).map((cell) => {
        const standing = cellStateOf(cell, editor.sheet.edits.get(keyOf(cell)));
        return <Count key={cell.size} cell={cell} standing={standing} editor={editor} isReadOnly={!mayChange} />;
      })}
      <div className="mt-3 flex items-center gap-4">
        <Link
          to={`/products/${product.id}/stock`}
          className="inline-flex min-h-11 items-center underline underline-offset-3"
        >
          History
        </Link>
        <Button type="button" onPress={close} className="ml-auto min-h-12 flex-1">
          Done
        </Button>
      </div>
    </>
  );
}

type CountProps = { cell: Cell; standing: CellState; editor: SheetEditor; isReadOnly: boolean };

/** An input for the stock of a size, where "+5" adds 5, as in the grid. Two buttons change the stock by one. */
function Count({ cell, standing, editor, isReadOnly }: CountProps) {
  const id = useId();
  const [text, setText] = useState<string>();
  const read = text === undefined ? undefined : readNumber(text, cell.onHand);
  const isWrong = read === null || standing.isBelow || standing.isChanged;
  const name = sizeName(cell.size);
  const commit = () => {
    if (text === undefined || read === null) return; // an invalid text stays, to be corrected
    editor.type([{ cell, typed: read }]);
    setText(undefined);
  };
  const step = (by: number) => {
    setText(undefined);
    editor.type([{ cell, typed: Math.min(MOST_IN_STOCK, Math.max(0, standing.value + by)) }]);
  };
  return (
    <div className="grid grid-cols-[3.5rem_minmax(0,1fr)] items-center gap-x-3 border-t border-hairline py-2">
      <label htmlFor={id} className="font-semibold">
        {name}
      </label>
      <div className="flex">
        <Stepper label={`${name}: one less`} Icon={MinusIcon} isDisabled={isReadOnly} onPress={() => step(-1)} />
        <input
          id={id}
          value={text ?? String(standing.value)}
          inputMode="tel" // the keypad with a plus
          autoComplete="off"
          maxLength={12}
          readOnly={isReadOnly}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${id}-state`}
          onChange={({ target }) => setText(target.value)}
          onBlur={commit}
          onKeyDown={({ key }) => key === "Enter" && commit()}
          className="relative min-h-12 w-full min-w-0 border-y border-field bg-white text-center text-lg font-semibold tabular-nums focus:z-1"
        />
        <Stepper label={`${name}: one more`} Icon={PlusIcon} isDisabled={isReadOnly} onPress={() => step(1)} />
      </div>
      <span
        id={`${id}-state`}
        className={`col-span-2 mt-1 text-[0.8125rem] leading-4.5 ${isWrong ? "font-medium text-error" : "text-muted"}`}
      >
        {read === null ? "Write a number of pieces, or +5 to add 5" : cellWords(cell, standing)}
      </span>
    </div>
  );
}

type StepperProps = { label: string; Icon: typeof PlusIcon; isDisabled: boolean; onPress(): void };

function Stepper({ label, Icon, isDisabled, onPress }: StepperProps) {
  return (
    <AriaButton
      aria-label={label}
      isDisabled={isDisabled}
      onPress={onPress}
      className="grid size-12 flex-none place-items-center border border-field bg-white pressed:bg-linen disabled:text-muted"
    >
      <Icon className="size-5" />
    </AriaButton>
  );
}
