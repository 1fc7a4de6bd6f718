import { type ReactNode, useEffect } from "react";

type Frame = (page: ReactNode) => ReactNode;

let last: Frame | undefined;

/** Stores the page's frame, for errors after which no loader has data. */
export function useLastFrame(frame: Frame): void {
  useEffect(() => {
    last = frame;
  });
}

/** The page inside the frame that was shown last, or on its own if there was none. */
export function inLastFrame(page: ReactNode): ReactNode {
  return last ? last(page) : page;
}
