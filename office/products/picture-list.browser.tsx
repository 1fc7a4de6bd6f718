import {
  Button as AriaButton,
  DropIndicator,
  type DropItem,
  GridList,
  GridListItem,
  isFileDropItem,
  useDragAndDrop,
} from "react-aria-components";
import { pictureUrl } from "#app/catalog/product.ts";
import type { ProductImage } from "#db/types.ts";
import { EditIcon, GripIcon } from "../frame/icons.tsx";

// No grid, because the marker of the drop position would take a cell.
export const TILES = "flex flex-wrap gap-2";
export const TILE =
  "relative aspect-[4/5] w-[calc((100%-1rem)/3-0.5px)] overflow-hidden rounded-cut bg-linen lg:w-[calc((100%-1.5rem)/4-0.5px)]";

type Props = {
  images: ProductImage[];
  /** The hash of the picture whose text and focus are being edited. */
  chosen?: string;
  /** The progress of the new pictures' renderings, by hash. */
  works: Record<string, { made: number; all: number }>;
  onChoose(hash: string): void;
  onMove(images: ProductImage[]): void;
  onFiles(files: File[]): void;
};

/**
 * The pictures in their order, which can be changed by dragging or by the keyboard: Enter on the handle, arrow keys,
 * Enter.
 */
export function PictureList({ images, chosen, works, onChoose, onMove, onFiles }: Props) {
  const drop = ({ items }: { items: DropItem[] }) => void filesOf(items).then(onFiles);
  const { dragAndDropHooks } = useDragAndDrop<ProductImage & { id: string }>({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) => {
      const moved = images.filter(({ hash }) => keys.has(hash));
      const rest = images.filter(({ hash }) => !keys.has(hash));
      const at = rest.findIndex(({ hash }) => hash === target.key) + (target.dropPosition === "after" ? 1 : 0);
      onMove(rest.toSpliced(at, 0, ...moved));
    },
    renderDropIndicator: (target) => (
      <DropIndicator target={target} className="-mx-1 w-0 data-drop-target:outline-2 data-drop-target:outline-ink" />
    ),
    onInsert: drop,
    onRootDrop: drop,
  });
  return (
    <GridList
      aria-label="Pictures"
      layout="grid"
      items={images.map((image) => ({ ...image, id: image.hash }))}
      dependencies={[chosen, works, images]}
      dragAndDropHooks={dragAndDropHooks}
      onAction={(key) => onChoose(String(key))}
      className={TILES}
    >
      {(image) => {
        const at = images.findIndex(({ hash }) => hash === image.hash);
        const name = `Picture ${at + 1}`;
        const work = works[image.hash];
        return (
          <GridListItem
            textValue={image.alt ? `${name}: ${image.alt}` : name}
            className={`${TILE} cursor-default data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-dragging:opacity-40 ${chosen === image.hash ? "ring-2 ring-ink" : ""}`}
            style={{ background: image.background }}
          >
            <img
              src={pictureUrl(image, 320, "webp")}
              alt=""
              draggable={false}
              className="size-full object-cover"
              style={{ objectPosition: image.focus }}
            />
            <AriaButton slot="drag" aria-label={`Move ${name.toLowerCase()}`} className={`${CORNER} top-0 left-0`}>
              <span className={SQUARE}>
                <GripIcon className="size-5" />
              </span>
            </AriaButton>
            <AriaButton
              aria-label={`Words and focus of ${name.toLowerCase()}`}
              onPress={() => onChoose(image.hash)}
              className={`${CORNER} top-0 right-0`}
            >
              <span className={SQUARE}>
                <EditIcon className="size-5" />
              </span>
            </AriaButton>
            {at === 0 && !work && <span className={LABEL}>First</span>}
            {work && (
              <>
                <span className={`${LABEL} tabular-nums`}>
                  {work.made} of <span>{work.all || "…"}</span> sizes
                </span>
                <Bar part={work.all ? work.made / work.all : 0} />
              </>
            )}
          </GridListItem>
        );
      }}
    </GridList>
  );
}

const CORNER = "absolute grid size-11 place-items-center";
const SQUARE = "grid size-7.5 place-items-center rounded-cut bg-paper";
export const LABEL = "absolute bottom-1.5 left-1.5 rounded-cut bg-paper px-1.5 text-xs leading-4.5 font-semibold";

export function Bar({ part }: { part: number }) {
  return <span className="absolute bottom-0 left-0 h-1 bg-palm" style={{ width: `${Math.round(part * 100)}%` }} />;
}

async function filesOf(items: DropItem[]): Promise<File[]> {
  return Promise.all(items.filter(isFileDropItem).map((item) => item.getFile()));
}
