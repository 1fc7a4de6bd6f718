import { type MouseEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Dialog } from "#app/ui/dialog.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { ProductImage } from "#db/types.ts";

/** A picture over the whole screen; a tap goes near to the tapped point and back. Two fingers zoom as everywhere. */
export function LargeView({ image, open, onClose }: { image: ProductImage; open: boolean; onClose(): void }) {
  const frame = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const toggle = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    flushSync(() => setNear(!near));
    const { scrollWidth = 0, scrollHeight = 0, clientWidth = 0, clientHeight = 0 } = frame.current ?? {};
    frame.current?.scrollTo(x * scrollWidth - clientWidth / 2, y * scrollHeight - clientHeight / 2);
  };
  return (
    <Dialog open={open} onClose={onClose} title="Large view" side="whole">
      <div ref={frame} className="flex min-h-0 flex-1 overflow-auto">
        <button
          type="button"
          onClick={toggle}
          aria-label={near ? "Show the whole picture" : "Zoom in"}
          className={`m-auto block shrink-0 ${near ? "w-[max(200vw,75rem)] cursor-zoom-out!" : "w-[min(100vw,calc((100dvh-3.75rem)*0.8))] cursor-zoom-in!"}`}
        >
          <Picture image={image} sizes={near ? "1200px" : "100vw"} />
        </button>
      </div>
    </Dialog>
  );
}
