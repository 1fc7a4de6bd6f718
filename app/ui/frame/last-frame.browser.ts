import { type ReactNode, useEffect } from "react";

type Frame = (page: ReactNode) => ReactNode;

let last: Frame | undefined;

/** Keeps the frame of this page, for when an error leaves all loaders without an answer. */
export function useLastFrame(frame: Frame): void {
  useEffect(() => {
    last = frame;
  });
}

/** A page in the frame that was shown last; on its own where none was. */
export function inLastFrame(page: ReactNode): ReactNode {
  return last ? last(page) : page;
}
