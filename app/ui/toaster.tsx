import { useEffect, useRef } from "react";
import hotToast, { type DefaultToastOptions, Toaster as HotToaster } from "react-hot-toast";

/** The specification's times: success 2 s, all others 4 s, loading until it is ended. At most 20 are shown: the library's own limit. */
const options: DefaultToastOptions = {
  duration: 4000,
  style: { background: "#17130e", color: "#fbf8f2", borderRadius: "2px", maxWidth: "28rem" },
  success: { duration: 2000, iconTheme: { primary: "#fbf8f2", secondary: "#0e5a3b" } },
  error: { duration: 4000, iconTheme: { primary: "#fbf8f2", secondary: "#b3261e" } },
  loading: { duration: Number.POSITIVE_INFINITY },
};

export const toast = hotToast;

let layer: HTMLElement | null = null;

/**
 * Puts the toasts on top of the browser's top layer, and into the dialog `within`, which has just opened, or else one that is open: screen readers
 * pass over what is outside of a modal dialog.
 */
export function placeToasts(within?: HTMLElement): void {
  if (!layer?.showPopover) return;
  (within ?? document.querySelector("dialog:modal") ?? document.getElementById(HOME))?.append(layer);
  layer.showPopover();
}

const HOME = "toasts";

export function Toaster() {
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    layer = own.current;
    placeToasts();
  }, []);
  return (
    <div id={HOME}>
      <div ref={own} popover="manual" className="overflow-visible border-0 bg-transparent p-0">
        <HotToaster position="top-center" containerStyle={{ top: 76 }} toastOptions={options} />
      </div>
    </div>
  );
}
