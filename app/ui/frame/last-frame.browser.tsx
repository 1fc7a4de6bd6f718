import { type ReactNode, useEffect } from "react";
import { PlainFrame } from "./calm.tsx";

type Frame = (page: ReactNode) => ReactNode;

let last: Frame | undefined;

/** Stores the page's frame, for errors after which no loader has data. */
export function useLastFrame(frame: Frame): void {
  useEffect(() => {
    last = frame;
  });
}

/** The page inside the frame that was shown last. At a first visit there is none, and the frame is a plain one. */
export function inLastFrame(page: ReactNode): ReactNode {
  return last ? last(page) : <PlainFrame>{page}</PlainFrame>;
}
