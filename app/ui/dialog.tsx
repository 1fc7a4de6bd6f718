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
 * A modal dialog, or a drawer from the right (24rem). It uses the browser's own dialog, which keeps the focus inside,
 * restores it afterwards, closes on Esc and makes the page behind it inert. tokens.css locks the scrolling of the page.
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
  // The dialog is closed before React removes it from the page, because only then does the browser restore the focus.
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
      // A press that began inside, for example to select text in a field, must not close the dialog if it ends on the
      // backdrop.
      onClick={(event) => event.target === ref.current && pressed.current === ref.current && ref.current.close()}
      className={`bg-paper p-0 text-ink shadow-overlay ${PLACES[side]}`}
    >
      {/* In the middle, the height follows from the contents. Contents with a height in percent would have no
          height in WebKit. */}
      {open && (
        <div className={`flex max-h-[inherit] flex-col ${side === "middle" ? "" : "h-full"}`}>
          <div className="flex items-center justify-between border-b border-hairline gap-2 py-2 pr-2 pl-5">
            <h2 id={id} className="headline py-1 text-xl">
              {title}
            </h2>
            <button type="button" onClick={() => ref.current?.close()} className="grid size-11 place-items-center">
              <CloseIcon />
              <span className="sr-only">Close</span>
            </button>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">{children}</div>
        </div>
      )}
    </dialog>
  );
}
