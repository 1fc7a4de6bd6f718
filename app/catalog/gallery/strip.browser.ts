import { type RefObject, useEffect, useRef, useState } from "react";
import { crossFade } from "#app/ui/cross-fade.browser.ts";

type Strip = {
  strip: RefObject<HTMLUListElement | null>;
  /** The index of the picture in view. */
  current: number;
  onScroll(): void;
  /** Scrolls to a picture at once. */
  jump(index: number): void;
  /** Scrolls to a picture with a cross-fade. */
  show(index: number): void;
};

/** The visible share of a picture above which it counts as in view. */
const IN_VIEW = 0.66;

/**
 * A list of pictures that is either a strip to swipe, or part of a page that scrolls. It tracks which picture is in
 * view.
 */
export function useStrip(): Strip {
  const strip = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState(0);
  const observer = useRef<IntersectionObserver>(null);
  /**
   * Observes all pictures again, which makes the observer report each of them. Without that, it would miss a picture
   * that enters and leaves the view between two frames.
   */
  const observe = () => {
    observer.current?.disconnect();
    for (const picture of strip.current?.children ?? []) observer.current?.observe(picture);
  };
  const jump = (index: number) => {
    const picture = strip.current?.children[index];
    if (!(picture instanceof HTMLElement)) return;
    if (isSwiped(strip.current)) return strip.current?.scrollTo({ left: picture.offsetLeft, behavior: "instant" });
    picture.scrollIntoView({ block: "nearest", behavior: "instant" });
    setCurrent(index);
    observe();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list stays
  useEffect(() => {
    const pictures = [...(strip.current?.children ?? [])];
    const inView = new Set<Element | undefined>();
    observer.current = new IntersectionObserver(
      (changes) => {
        for (const { target, intersectionRatio } of changes)
          inView[intersectionRatio >= IN_VIEW ? "add" : "delete"](target);
        const first = pictures.findIndex((picture) => inView.has(picture));
        if (first < 0 || isSwiped(strip.current)) return;
        setCurrent((now) => (inView.has(pictures[now]) ? now : first)); // if several are in view, the current one stays
      },
      { threshold: IN_VIEW },
    );
    observe();
    return () => observer.current?.disconnect();
  }, []);
  const onScroll = () => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0, children } = strip.current ?? {};
    // The scroll position maps evenly to the pictures, so that the last one is current at the end, even if several are
    // visible side by side.
    const way = scrollWidth - clientWidth;
    if (children && way > 0) setCurrent(Math.round((scrollLeft / way) * (children.length - 1)));
  };
  return { strip, current, onScroll, jump, show: (index) => crossFade(() => jump(index)) };
}

function isSwiped(strip: HTMLElement | null): boolean {
  return strip !== null && strip.scrollWidth > strip.clientWidth;
}
