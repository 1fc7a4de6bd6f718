import { type ReactNode, useEffect, useRef, useState } from "react";
import hotToast, {
  type DefaultToastOptions,
  Toaster as HotToaster,
  resolveValue,
  useToasterStore,
} from "react-hot-toast";

/** The specification's times: success 2 s, all others 4 s, loading until it is ended. At most 20 are shown: the library's own limit. */
const options: DefaultToastOptions = {
  duration: 4000,
  style: { background: "#17130e", color: "#fbf8f2", borderRadius: "2px", maxWidth: "28rem" },
  success: { duration: 2000, iconTheme: { primary: "#fbf8f2", secondary: "#0e5a3b" } },
  error: { duration: 4000, iconTheme: { primary: "#fbf8f2", secondary: "#b3261e" } },
  loading: { duration: Number.POSITIVE_INFINITY },
};

export const toast = hotToast;

/** In the browser's top layer, and there above whatever dialog opened last: a toast is never read through a backdrop. */
export function Toaster() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const raise = ({ target }: { target: EventTarget | null }) => {
      const layer = ref.current;
      if (!layer || target === layer || !("showPopover" in layer)) return;
      layer.hidePopover();
      layer.showPopover();
    };
    raise({ target: null });
    document.addEventListener("toggle", raise, { capture: true });
    return () => document.removeEventListener("toggle", raise, { capture: true });
  }, []);
  return (
    <div ref={ref} popover="manual" className="overflow-visible border-0 bg-transparent p-0">
      <HotToaster position="top-center" containerStyle={{ top: 76 }} toastOptions={options} />
    </div>
  );
}

/** The newest toast for screen readers inside a modal dialog: what lies outside of it, they do not hear. */
export function Said() {
  const { toasts } = useToasterStore();
  const newest = toasts.find(({ visible }) => visible);
  const [said, say] = useState<ReactNode>();
  useEffect(() => say(newest ? resolveValue(newest.message, newest) : undefined), [newest]); // after it is there: only changes are read out
  return (
    <div role="status" className="sr-only">
      {said}
    </div>
  );
}
