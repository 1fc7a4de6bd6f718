import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import type { HeroSlide } from "#db/types.ts";
import { EditIcon, GripIcon } from "../frame/icons.tsx";
import { HeroPreview } from "./hero-preview.tsx";

type Props = {
  slides: HeroSlide[];
  /** The id of the slide that is being edited. */
  chosen: string;
  /** The ids of slides with a problem. */
  wrong: string[];
  onChoose(id: string): void;
  onMove(slides: HeroSlide[]): void;
};

/**
 * The slides in their order, which can be changed by dragging or by the keyboard: Enter on the handle, arrow keys,
 * Enter.
 */
export function HeroList({ slides, chosen, wrong, onChoose, onMove }: Props) {
  const { dragAndDropHooks } = useDragAndDrop<HeroSlide>({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) => {
      const moved = slides.filter(({ id }) => keys.has(id));
      const rest = slides.filter(({ id }) => !keys.has(id));
      const at = rest.findIndex(({ id }) => id === target.key) + (target.dropPosition === "after" ? 1 : 0);
      onMove(rest.toSpliced(at, 0, ...moved));
    },
    renderDropIndicator: (target) => (
      <DropIndicator target={target} className="-my-1 h-0 data-drop-target:outline-2 data-drop-target:outline-ink" />
    ),
  });
  return (
    <GridList
      aria-label="Slides"
      items={slides}
      dependencies={[slides, chosen, wrong]}
      dragAndDropHooks={dragAndDropHooks}
      onAction={(key) => onChoose(String(key))}
      className="grid gap-2"
    >
      {(slide) => {
        const name = `Slide ${slides.findIndex(({ id }) => id === slide.id) + 1}`;
        const words = slide.title.replaceAll("\n", " ");
        return (
          <GridListItem
            textValue={`${name}: ${words}`}
            className={`grid cursor-default grid-cols-[2.75rem_6rem_minmax(0,1fr)_2.75rem] items-center gap-2 rounded-cut border bg-white data-dragging:opacity-40 data-focus-visible:outline-2 data-focus-visible:outline-offset-2 ${slide.id === chosen ? "border-ink" : "border-hairline"}`}
          >
            <AriaButton slot="drag" aria-label={`Move ${name.toLowerCase()}`} className={SQUARE}>
              <GripIcon className="size-5" />
              <span className="sr-only">Move</span>
            </AriaButton>
            <HeroPreview slide={slide} />
            <span className="min-w-0 py-2">
              <span className="block truncate font-semibold">{words || "No title yet"}</span>{" "}
              <span
                className={`text-[0.8125rem] ${wrong.includes(slide.id) ? "font-medium text-error" : "text-muted"}`}
              >
                {wrong.includes(slide.id) ? "Check the marked fields" : name}
              </span>
            </span>{" "}
            <AriaButton
              aria-label={`Change ${name.toLowerCase()}`}
              onPress={() => onChoose(slide.id)}
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
