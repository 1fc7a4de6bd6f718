import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import hotToast, {
  type DefaultToastOptions,
  Toaster as HotToaster,
  type Toast,
  type ToastOptions,
  type ToastType,
  useToasterStore,
} from "react-hot-toast";

/**
 * The display times of the specification: 2 s for success, 4 s for all others, no limit for loading. At most 20 toasts
 * are shown, which is the library's limit.
 */
export const TOAST_OPTIONS: DefaultToastOptions = {
  duration: 4000,
  style: {
    background: "#fbf8f2",
    color: "#17130e",
    border: "1px solid #17130e",
    borderRadius: "2px",
    boxShadow: "none",
    maxWidth: "28rem",
  },
  success: { duration: 2000, iconTheme: { primary: "#0e5a3b", secondary: "#fbf8f2" } },
  error: { duration: 4000, iconTheme: { primary: "#b3261e", secondary: "#fbf8f2" } },
  loading: { duration: Number.POSITIVE_INFINITY },
};

/** Uses the text as the toast's id, so that equal texts are shown only once. */
const once =
  (show: typeof hotToast.success) =>
  (text: string, options?: ToastOptions): string =>
    show(text, { id: text, ...options });

export const toast = Object.assign(once(hotToast), { success: once(hotToast.success), error: once(hotToast.error) });

let layer: HTMLElement | null = null;
let onMoved: (host: Element | null) => void = () => {};

/**
 * Moves the toasts to the top of the browser's top layer, inside the dialog `within` or else an open modal dialog:
 * screen readers ignore everything outside of a modal dialog.
 */
export function placeToasts(within?: HTMLElement): void {
  if (!layer?.showPopover) return;
  (within ?? document.querySelector("dialog:modal") ?? document.getElementById(HOME))?.append(layer);
  layer.showPopover();
  onMoved(layer.parentElement);
}

const HOME = "toasts";

/** The session storage key for toasts that the next page of this tab shows again. */
const LEFT = "toasts";
/** In ms. A page that loads later does not show the toasts, since the shopper was elsewhere meanwhile. */
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

/** Shows the previous page's toasts for the rest of their time. */
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

/** The edge from which the stack of toasts begins, and its distance from there in px. */
type Place = { edge: "top" | "bottom"; from: number };

/**
 * In px: the least distance of toasts from an edge, the library's gap between two of them, the distance from the
 * window's sides, and the step of the search for a place.
 */
const DISTANCE = { top: 8, bottom: 24 };
const GAP = 8;
const SIDES = 8;
const STEP = 8;
const WIDE = 1024;
/** Elements that count twice when toasts cover them. `a.label` is a link that looks like a button. */
const BUTTONS = "button, summary, a.label";
const NOT_COVERED = `${BUTTONS}, input, select, textarea, label, h1, h2, h3`;

/**
 * The place at which the toasts in `stack` cover the fewest headings and controls. The element pressed last counts,
 * too, since the toasts are about it. Among equal places, the nearest to the window's top on phones, and to its bottom
 * on wide screens. `now` stays unless another place is better.
 */
function freePlace(stack: Element, pressed: Element | null, now: Place | undefined): Place {
  const bars = [...stack.querySelectorAll('[role="status"]')].flatMap(({ parentElement }) => parentElement ?? []);
  const width = Math.max(...bars.map(({ offsetWidth }) => offsetWidth));
  const height = bars.reduce((sum, { offsetHeight }) => sum + offsetHeight + GAP, -GAP);
  const left = (document.documentElement.clientWidth - width) / 2;
  const spokenOf = pressed?.closest("li") ?? pressed?.closest("form") ?? pressed;
  const boxes = [...(stack.closest("dialog") ?? document).querySelectorAll(NOT_COVERED), spokenOf]
    .filter((element) => element?.checkVisibility({ visibilityProperty: true }) && !element.matches(".sr-only"))
    .flatMap((element) => {
      const box = element?.getBoundingClientRect();
      if (!box || box.left >= left + width || box.right <= left) return [];
      return element?.matches(BUTTONS) ? [box, box] : [box];
    });
  const covered = ({ edge, from }: Place) => {
    const top = edge === "top" ? from : innerHeight - from - height;
    return boxes.filter((box) => box.top < top + height && box.bottom > top).length;
  };
  const edge = innerWidth < WIDE ? "top" : "bottom";
  let best: Place = { edge, from: DISTANCE[edge] };
  for (let { from } = best; from <= innerHeight - height - DISTANCE.top; from += STEP)
    if (covered({ edge, from }) < covered(best)) best = { edge, from };
  return now?.edge === edge && covered(now) <= covered(best) ? now : best;
}

/** If the browser refuses storage, no toast is kept for the next page. */
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
  const [host, setHost] = useState<Element | null>(null);
  const [place, setPlace] = useState<Place>();
  const { toasts } = useToasterStore(TOAST_OPTIONS);
  const isAny = toasts.length > 0;
  const settle = useEffectEvent(() => {
    setPlace(isAny && own.current ? freePlace(own.current, pressed.current, place) : undefined);
  });
  useLayoutEffect(() => {
    shown.current = toasts;
    settle();
  }, [toasts]);
  // The page under the toasts changes while they are shown: a dialog opens, its contents arrive, a text gets longer.
  useEffect(() => {
    if (!isAny || !host) return;
    const below = host.closest("dialog") ?? document.body;
    const watchers = [new ResizeObserver(settle), new MutationObserver(settle)] as const;
    watchers[0].observe(below);
    watchers[1].observe(below, { subtree: true, childList: true, characterData: true });
    return () => watchers.forEach((watcher) => void watcher.disconnect());
  }, [isAny, host]);
  useEffect(() => {
    layer = own.current;
    onMoved = setHost;
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
  const { edge, from }: Place = place ?? { edge: "top", from: 0 };
  return (
    <div id={HOME}>
      <div ref={own} popover="manual" className="overflow-visible border-0 bg-transparent p-0">
        <HotToaster
          position={`${edge}-center`}
          containerStyle={{ top: 0, bottom: 0, left: SIDES, right: SIDES, [edge]: from }}
          toastOptions={TOAST_OPTIONS}
        />
      </div>
    </div>
  );
}
