export function wantsLessMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Changes the page with a cross-fade (its duration is in tokens.css). Without animation if the visitor prefers reduced
 * motion or the browser does not support view transitions.
 */
export function crossFade(change: () => void): void {
  if (wantsLessMotion() || !("startViewTransition" in document)) change();
  else document.startViewTransition(change);
}
