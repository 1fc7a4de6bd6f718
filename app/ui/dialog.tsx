import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { CloseIcon } from "./icons.tsx";
import { placeToasts } from "./toaster.tsx";

type Props = {
  open: boolean;
  onClose(): void;
  title: string;
  children: ReactNode;
  side?: "middle" | "right" | "whole";
};

const PLACES = {
  middle: "dialog-in m-auto max-h-[90dvh] w-[min(36rem,calc(100vw-2rem))] rounded-cut",
  whole: "dialog-in h-dvh max-h-none w-screen max-w-none",
  right: "drawer-in mr-0 ml-auto h-dvh max-h-none w-96 max-w-[calc(100vw-2rem)]",
};

/**
 * A modal dialog, or a drawer from the right (24rem). The browser's own dialog keeps the focus inside, gives it back, closes on Esc and
 * makes the page behind it inert; tokens.css locks the page's scrolling.
 */
export function Dialog({ open, onClose, title, children, side = "middle" }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const pressed = useRef<EventTarget>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (open && dialog && !dialog.open) {
      const root = document.documentElement;
      root.style.setProperty("--scrollbar", `${innerWidth - root.clientWidth}px`);
      dialog.showModal();
      placeToasts(dialog);
    }
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  // Closed before it leaves the page with those who showed it: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    return () => {
      dialog?.close();
      placeToasts();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is the one on the backdrop; Esc does the same by keyboard
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={() => {
        placeToasts();
        if (open) onClose();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      // A press that began inside, as one that selects what is in a field, counts as a click here where it ends.
      onClick={(event) => event.target === ref.current && pressed.current === ref.current && ref.current.close()}
      className={`bg-paper p-0 text-ink shadow-overlay ${PLACES[side]}`}
    >
      {/* In the middle the contents say how high it is: a height of theirs that is a part of its own would be none in WebKit. */}
      {open && (
        <div className={`flex max-h-[inherit] flex-col ${side === "middle" ? "" : "h-full"}`}>
          <div className="flex items-center justify-between border-b border-hairline gap-2 py-2 pr-2 pl-5">
            <h2 id={id} className="headline py-1 text-xl">
              {title}
            </h2>
            <button
              type="button"
              onClick={() => ref.current?.close()}
              aria-label="Close"
              className="grid size-11 place-items-center"
            >
              <CloseIcon />
            </button>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">{children}</div>
        </div>
      )}
    </dialog>
  );
}
