import { useEffect, useRef } from "react";
import hotToast, {
  type DefaultToastOptions,
  Toaster as HotToaster,
  type Toast,
  type ToastType,
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

/** Where a page that goes away leaves its toasts for the next one of this tab. */
const LEFT = "toasts";
/** A page that comes later is no longer the next one: the shopper was elsewhere. */
const NEXT_PAGE_WITHIN = 10_000;
type LeftToast = { type: ToastType; message: string; remaining: number };

function leaveToasts(toasts: Toast[]): void {
  const now = Date.now();
  const left = toasts.flatMap(({ type, message, visible, createdAt, pauseDuration, duration = 0 }): LeftToast[] => {
    const remaining = createdAt + duration + pauseDuration - now;
    return visible && remaining > 0 && typeof message === "string" ? [{ type, message, remaining }] : [];
  });
  inTabStorage((storage) => {
    if (left.length > 0) storage.setItem(LEFT, JSON.stringify({ at: now, left }));
    else storage.removeItem(LEFT);
  });
}

/** Shows what the page before has left, for the time that each had still to stay. */
function takeUpToasts(): void {
  inTabStorage((storage) => {
    const { at = 0, left = [] }: { at?: number; left?: LeftToast[] } = JSON.parse(storage.getItem(LEFT) ?? "{}");
    storage.removeItem(LEFT);
    if (Date.now() - at > NEXT_PAGE_WITHIN) return;
    for (const { type, message, remaining } of left.toReversed()) show(type, message, remaining);
  });
}

function show(type: ToastType, message: string, duration: number): void {
  if (type === "success" || type === "error") hotToast[type](message, { duration });
  else if (type === "blank") hotToast(message, { duration });
}

/** A browser that refuses storage keeps no toast for the next page. */
function inTabStorage(use: (storage: Storage) => void): void {
  try {
    use(sessionStorage);
  } catch (error) {
    console.debug("No toast is kept for the next page", error);
  }
}

export function Toaster() {
  const own = useRef<HTMLDivElement>(null);
  const shown = useRef<Toast[]>([]);
  const { toasts } = useToasterStore(options);
  useEffect(() => {
    shown.current = toasts;
  }, [toasts]);
  useEffect(() => {
    layer = own.current;
    placeToasts();
    takeUpToasts();
    const leave = () => leaveToasts(shown.current);
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, []);
  return (
    <div id={HOME}>
      <div ref={own} popover="manual" className="overflow-visible border-0 bg-transparent p-0">
        <HotToaster position="top-center" containerStyle={{ top: 76 }} toastOptions={options} />
      </div>
    </div>
  );
}
