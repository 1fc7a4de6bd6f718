import { useEffect, useMemo, useRef } from "react";
import hotToast, {
  type DefaultToastOptions,
  Toaster as HotToaster,
  type Toast,
  type ToastOptions,
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

/** One toast stands for all that say the same: its text is its name. */
const once =
  (show: typeof hotToast.success) =>
  (text: string, options?: ToastOptions): string =>
    show(text, { id: text, ...options });

export const toast = Object.assign(once(hotToast), { success: once(hotToast.success), error: once(hotToast.error) });

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
  if (type === "success" || type === "error") toast[type](message, { duration });
  else if (type === "blank") toast(message, { duration });
}

/** In px: how far from the window's edges toasts stay, and the room that one takes. */
const HEAD = 8;
const FOOT = 24;
/** The bars at the foot of a phone; no dialog has them. */
const BARS = 120;
const HEIGHT = 72;

/** Where a toast covers least of what it may speak of: the headings and what was pressed last. At the foot, where that is no worse. */
function freePlace(pressed: Element | null): "top-center" | "bottom-center" {
  const foot = innerHeight - footRoom();
  const covered = (top: number, bottom: number) =>
    [...document.querySelectorAll("h1, h2, h3"), pressed].filter((element) => {
      const box = element?.getBoundingClientRect();
      return box && box.height > 0 && box.bottom > top && box.top < bottom;
    }).length;
  return covered(foot - HEIGHT, foot) > covered(HEAD, HEAD + HEIGHT) ? "top-center" : "bottom-center";
}

function footRoom(): number {
  return innerWidth < 1024 && !document.querySelector("dialog:modal") ? FOOT + BARS : FOOT;
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
  const pressed = useRef<Element>(null);
  const { toasts } = useToasterStore(options);
  const isAny = toasts.length > 0;
  const place = useMemo(() => (isAny ? freePlace(pressed.current) : "bottom-center"), [isAny]);
  useEffect(() => {
    shown.current = toasts;
  }, [toasts]);
  useEffect(() => {
    layer = own.current;
    placeToasts();
    takeUpToasts();
    const gone = new AbortController();
    const { signal } = gone;
    addEventListener("pagehide", () => leaveToasts(shown.current), { signal });
    const press = ({ target }: Event) => {
      pressed.current = target instanceof Element ? target : null;
    };
    for (const type of ["pointerdown", "keydown"])
      addEventListener(type, press, { signal, capture: true, passive: true });
    return () => gone.abort();
  }, []);
  return (
    <div id={HOME}>
      <div ref={own} popover="manual" className="overflow-visible border-0 bg-transparent p-0">
        <HotToaster
          position={place}
          containerStyle={{ top: HEAD, bottom: isAny ? footRoom() : 0 }}
          toastOptions={options}
        />
      </div>
    </div>
  );
}
