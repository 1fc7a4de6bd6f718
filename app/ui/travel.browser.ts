import { wantsLessMotion } from "./cross-fade.browser.ts";

const TRAVEL = 360; // ms, the duration of the animation

/**
 * Animates a small copy of the first visible picture that moves to the first visible place. Both are given as
 * selectors. Nothing happens if either is not visible or the visitor prefers reduced motion.
 */
export function travel(pictures: string, places: string): void {
  const picture = [...document.querySelectorAll<HTMLImageElement>(pictures)].find(isInView);
  const place = [...document.querySelectorAll(places)].find(isInView);
  if (!picture || !place || wantsLessMotion()) return;
  const [from, to] = [centreOf(picture), centreOf(place)];
  // Delayed, so that the copy is above a dialog that opens at the same time.
  requestAnimationFrame(() => move(picture.currentSrc, from, to));
}

type Point = { x: number; y: number };

function move(source: string, from: Point, to: Point): void {
  const copy = new Image(96, 120);
  copy.src = source;
  copy.alt = "";
  copy.popover = "manual";
  copy.className =
    "pointer-events-none fixed inset-auto top-0 left-0 m-0 h-30 w-24 rounded-cut border-0 object-cover p-0";
  document.body.append(copy);
  copy.showPopover();
  const at = ({ x, y }: Point, scale: number) => `translate(${x - 48}px, ${y - 60}px) scale(${scale})`;
  copy.animate([{ transform: at(from, 1.5) }, { transform: at(to, 0.2), opacity: 0.4 }], {
    duration: TRAVEL,
    easing: "cubic-bezier(0.5, 0, 0.7, 1)",
  }).onfinish = () => copy.remove();
}

function centreOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

function isInView(element: Element): boolean {
  const { x, y } = centreOf(element);
  return element.getClientRects().length > 0 && x > 0 && x < innerWidth && y > 0 && y < innerHeight;
}
