export function wantsLessMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Makes a change of the page as a cross-fade (tokens.css has its time); at once where less motion is wished, or the browser has no such thing. */
export function crossFade(change: () => void): void {
  if (wantsLessMotion() || !("startViewTransition" in document)) change();
  else document.startViewTransition(change);
}
