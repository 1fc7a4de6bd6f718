import { type DragEvent, useState } from "react";
import { useSubmit } from "react-router";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { END } from "../frame/button.tsx";
import { GripIcon } from "../frame/icons.tsx";

/** The row that is dragged, and the row before which it would land. */
type Drag = { id: string; before?: string };

/**
 * Lets a mouse, or a finger where the browser drags for it, move the products of a list, which posts the same as their
 * buttons. Returns the props of a product's row, and its handle.
 */
export function useRowDrag(ids: readonly string[]) {
  const [drag, setDrag] = useState<Drag>();
  const isHydrated = useHydrated();
  const submit = useSubmit();
  const end = () => setDrag(undefined);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    end();
    if (drag?.before === undefined || !movesSomething(ids, drag)) return;
    void submit(
      { intent: "move", product: drag.id, before: drag.before },
      { method: "post", preventScrollReset: true },
    );
  };
  const rowProps = (id: string) => {
    const at = ids.indexOf(id);
    const isTarget =
      drag?.before === id ? "above" : drag?.before === END && at === ids.length - 1 ? "below" : undefined;
    return {
      "data-drop": isTarget,
      onDrop,
      onDragOver(event: DragEvent) {
        if (!drag) return;
        event.preventDefault();
        const { top, height } = event.currentTarget.getBoundingClientRect();
        const before = event.clientY < top + height / 2 ? id : (ids[at + 1] ?? END);
        if (before !== drag.before) setDrag({ ...drag, before });
      },
    };
  };
  const handle = (id: string) =>
    isHydrated && (
      // Hidden from screen readers: the buttons beside it do the same.
      <span
        aria-hidden
        draggable
        className="grid size-11 cursor-grab place-items-center text-muted lg:size-9"
        onDragStart={(event) => {
          const row = event.currentTarget.closest("li");
          event.dataTransfer.setData("text/plain", id);
          event.dataTransfer.effectAllowed = "move";
          if (row) event.dataTransfer.setDragImage(row, 0, 0);
          setDrag({ id });
        }}
        onDragEnd={end}
      >
        <GripIcon className="size-5" />
      </span>
    );
  return { rowProps, handle };
}

/** Whether the row would stand elsewhere than now. */
function movesSomething(ids: readonly string[], { id, before }: Drag): boolean {
  return before !== id && before !== (ids[ids.indexOf(id) + 1] ?? END);
}
