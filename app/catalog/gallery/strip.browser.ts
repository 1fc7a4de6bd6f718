import { type RefObject, useRef, useState } from "react";
import { crossFade } from "#app/ui/cross-fade.browser.ts";

type Strip = {
  strip: RefObject<HTMLUListElement | null>;
  /** The place of the picture in view. */
  current: number;
  onScroll(): void;
  /** Brings a picture into view, at once. */
  jump(index: number): void;
  /** The same, as a cross-fade. */
  show(index: number): void;
};

/** A list of pictures that is swiped, and knows which of them is in view. */
export function useStrip(): Strip {
  const strip = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const jump = (index: number) => {
    const picture = strip.current?.children[index];
    if (picture instanceof HTMLElement) strip.current?.scrollTo({ left: picture.offsetLeft, behavior: "instant" });
  };
  const onScroll = () => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0, children } = strip.current ?? {};
    // At its end the last one is in view, also where several are side by side.
    const way = scrollWidth - clientWidth;
    if (children && way > 0) setCurrent(Math.round((scrollLeft / way) * (children.length - 1)));
  };
  return { strip, current, onScroll, jump, show: (index) => crossFade(() => jump(index)) };
}
