import type { ReactNode } from "react";
import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { EditIcon, GripIcon } from "../frame/icons.tsx";

type Props<Item> = {
  label: string;
  /** The noun for an item, such as "Slide". */
  one: string;
  items: Item[];
  /** The id of the item that is being edited. */
  chosen: string;
  /** The ids of items with a problem. */
  wrong: string[];
  titleOf(item: Item): string;
  preview?(item: Item): ReactNode;
  onChoose(id: string): void;
  onMove(items: Item[]): void;
};

/**
 * Items in their order, which can be changed by dragging or by the keyboard: Enter on the handle, arrow keys, Enter.
 */
export function ItemList<Item extends { id: string }>(props: Props<Item>) {
  const { label, one, items, chosen, wrong, titleOf, preview, onChoose, onMove } = props;
  const { dragAndDropHooks } = useDragAndDrop<Item>({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) => {
      const moved = items.filter(({ id }) => keys.has(id));
      const rest = items.filter(({ id }) => !keys.has(id));
      const at = rest.findIndex(({ id }) => id === target.key) + (target.dropPosition === "after" ? 1 : 0);
      onMove(rest.toSpliced(at, 0, ...moved));
    },
    renderDropIndicator: (target) => (
      <DropIndicator target={target} className="-my-1 h-0 data-drop-target:outline-2 data-drop-target:outline-ink" />
    ),
  });
  const columns = preview
    ? "grid-cols-[2.75rem_6rem_minmax(0,1fr)_2.75rem]"
    : "grid-cols-[2.75rem_minmax(0,1fr)_2.75rem]";
  return (
    <GridList
      aria-label={label}
      items={items}
      dependencies={[items, chosen, wrong]}
      dragAndDropHooks={dragAndDropHooks}
      onAction={(key) => onChoose(String(key))}
      className="grid gap-2"
    >
      {(item) => {
        const name = `${one} ${items.findIndex(({ id }) => id === item.id) + 1}`;
        const words = titleOf(item);
        return (
          <GridListItem
            textValue={`${name}: ${words}`}
            className={`grid cursor-default ${columns} items-center gap-2 rounded-cut border bg-white data-dragging:opacity-40 data-focus-visible:outline-2 data-focus-visible:outline-offset-2 ${item.id === chosen ? "border-ink" : "border-hairline"}`}
          >
            <AriaButton slot="drag" aria-label={`Move ${name.toLowerCase()}`} className={SQUARE}>
              <GripIcon className="size-5" />
              <span className="sr-only">Move</span>
            </AriaButton>{" "}
            {preview?.(item)}
            <span className="min-w-0 py-2">
              <span className="block truncate font-semibold">{words || "No title yet"}</span>{" "}
              <span className={`text-[0.8125rem] ${wrong.includes(item.id) ? "font-medium text-error" : "text-muted"}`}>
                {wrong.includes(item.id) ? "Check the marked fields" : name}
              </span>
            </span>{" "}
            <AriaButton
              aria-label={`Change ${name.toLowerCase()}`}
              onPress={() => onChoose(item.id)}
              className={SQUARE}
            >
              <EditIcon className="size-5" />
              <span className="sr-only">Change</span>
            </AriaButton>
          </GridListItem>
        );
      }}
    </GridList>
  );
}

const SQUARE = "grid size-11 place-items-center";
