/** `unseen`: the page's changes to texts that the translation has removed, as collected by `translates`. */
export type Translated = Window & { unseen?: string[] };

type Scheduler = { postTask(task: () => void, options: { priority: "background" }): Promise<void> };

/**
 * Runs in the page before its own scripts. Like a browser's translation, it replaces each text by an element with the
 * translated words: once the page's script is there, and after each change. Here the words stay the same, so that tests
 * find them.
 */
export function translates(): void {
  const seen: string[] = [];
  Object.assign(window, { unseen: seen });
  const lost = new MutationObserver((changes) => {
    for (const { target, oldValue } of changes) seen.push(`${oldValue} -> ${target.nodeValue}`);
  });

  const KEPT = "script, style, noscript, textarea, font, title";
  const translate = (text: Text): void => {
    const words = text.nodeValue ?? "";
    if (!words.trim() || text.parentElement?.closest(KEPT)) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = words;
    outer.append(inner);
    lost.observe(text, { characterData: true, characterDataOldValue: true });
    text.replaceWith(outer);
  };
  const translateIn = (place: Node): void => {
    const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const texts: Text[] = place instanceof Text ? [place] : [];
    while (walk.nextNode()) if (walk.currentNode instanceof Text) texts.push(walk.currentNode);
    for (const text of texts) translate(text);
  };
  const changed = new MutationObserver((changes) => {
    for (const { addedNodes, target, type } of changes)
      for (const node of type === "childList" ? addedNodes : [target]) if (node.isConnected) translateIn(node);
  });
  const begin = (): void => {
    changed.observe(document.body, { subtree: true, childList: true, characterData: true });
    translateIn(document.body);
  };
  const { scheduler } = globalThis as { scheduler?: Scheduler };
  const whenScriptIsThere = (): void => {
    // Runs after all of React's work: a browser translates a page that has been read for a while.
    if ("__reactRouterDataRouter" in window) void scheduler?.postTask(begin, { priority: "background" });
    else requestAnimationFrame(whenScriptIsThere);
  };
  addEventListener("DOMContentLoaded", whenScriptIsThere);
}
