import { type MouseEvent, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { Dialog } from "#app/ui/dialog.tsx";
import { LeftIcon, RightIcon } from "#app/ui/icons.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { ProductImage } from "#db/types.ts";
import { useStrip } from "./strip.browser.ts";
import { Thumbnails } from "./thumbnails.tsx";

type Props = {
  images: ProductImage[];
  /** The index of the first picture to show. Undefined while the view is closed. */
  first: number | undefined;
  onClose(): void;
};

/**
 * The pictures over the whole screen. They are swiped, or changed by buttons and arrow keys. A tap zooms to the tapped
 * point, another one zooms out. Pinch zoom works as usual.
 */
export function LargeView({ images, first, onClose }: Props) {
  return (
    <Dialog open={first !== undefined} onClose={onClose} title="Large view" side="whole">
      {first !== undefined && <Pictures images={images} first={first} />}
    </Dialog>
  );
}

function Pictures({ images, first }: { images: ProductImage[]; first: number }) {
  const { strip, current, onScroll, jump, show } = useStrip();
  const [near, setNear] = useState(false);
  const turnTo = (index: number) => {
    setNear(false);
    show((index + images.length) % images.length);
  };
  useArrowKeys(!near, (step) => turnTo(current + step));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the dialog that is opening has a layout
  useEffect(() => {
    const frame = requestAnimationFrame(() => jump(first));
    return () => cancelAnimationFrame(frame);
  }, []);
  const zoom = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    flushSync(() => setNear(!near));
    const frame = currentTarget.parentElement;
    frame?.scrollTo(x * frame.scrollWidth - frame.clientWidth / 2, y * frame.scrollHeight - frame.clientHeight / 2);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ul
        ref={strip}
        onScroll={onScroll}
        className={`no-scrollbar relative flex min-h-0 flex-1 snap-x snap-mandatory ${near ? "overflow-hidden" : "overflow-x-auto"}`}
      >
        {images.map((image, index) => {
          const isNear = near && index === current;
          return (
            <li
              key={image.hash}
              // Only the picture in view is exposed to screen readers and the Tab key.
              inert={index !== current}
              aria-hidden={index !== current}
              className={`flex w-full shrink-0 snap-center ${isNear ? "overflow-auto" : "overflow-hidden"}`}
            >
              <button
                type="button"
                onClick={zoom}
                aria-label={isNear ? "Show the whole picture" : "Zoom in"}
                className={`m-auto block shrink-0 ${isNear ? "w-[max(200vw,75rem)] cursor-zoom-out!" : "w-[min(100vw,calc((100dvh-7.5rem)*0.8))] cursor-zoom-in!"}`}
              >
                <Picture image={image} sizes={isNear ? "1200px" : "min(100vw, 80vh)"} />
              </button>
            </li>
          );
        })}
      </ul>
      {images.length > 1 && (
        <div className="flex h-15 shrink-0 items-center justify-between gap-4 px-2">
          <Arrow label="Picture before" onPress={() => turnTo(current - 1)} icon={LeftIcon} />
          <div className="flex items-center gap-4">
            <Thumbnails images={images} current={current} onShow={turnTo} className="max-sm:hidden" />
            <p className="price text-sm" aria-live="polite">
              {`${current + 1} / ${images.length}`}
            </p>
          </div>
          <Arrow label="Next picture" onPress={() => turnTo(current + 1)} icon={RightIcon} />
        </div>
      )}
    </div>
  );
}

function Arrow({ label, onPress, icon: Icon }: { label: string; onPress(): void; icon: typeof LeftIcon }) {
  return (
    <button type="button" onClick={onPress} aria-label={label} className="grid size-12 place-items-center">
      <Icon />
    </button>
  );
}

/** Handles the arrow keys wherever the focus is. While `isOn`, they do not scroll the page. */
function useArrowKeys(isOn: boolean, turn: (step: 1 | -1) => void): void {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      turn(event.key === "ArrowRight" ? 1 : -1);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
