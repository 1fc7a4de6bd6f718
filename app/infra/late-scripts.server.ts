/**
 * A page is whole without script, so its script waits for the first paint: on a slow network it would take the connection away from the style,
 * the fonts and the first picture, on a slow phone the time for the layout. Until then the router's scripts stand in the page under names that
 * browsers pass over, and what its loaders have sent as data.
 */
const LATE = "late";

/** The page with its scripts put off; `data` is the loaders' stream of lines (turbo-stream) as one text. */
export function withLateScripts(html: string, data: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', `<link rel="${LATE}"`)
    .replace('<script type="module" async="">', `<script type="${LATE}-module">`)
    .replace("<script>window.__reactRouterContext", `<script type="${LATE}-script">window.__reactRouterContext`)
    .replace(
      "</body>",
      () =>
        `<script type="application/json" id="${LATE}-data">${data.replaceAll("<", "\\u003c")}</script>${WAKE}</body>`,
    );
}

/**
 * Brings the scripts in after the first paint, at once in a page that nobody sees or a browser that does not tell. Each module is asked for and
 * run in a task of its own, and the one that begins the hydration last: a tap finds a gap. Whoever goes back to another page of the same visit
 * before the router is there, as after a reload, gets it from the server: browsers change the address alone.
 */
const WAKE = `<script>{
  const shown = location.pathname + location.search;
  addEventListener("popstate", () => {
    if (!globalThis.__reactRouterDataRouter && location.pathname + location.search !== shown) location.reload();
  });
  addEventListener("DOMContentLoaded", () => {
    const late = (what) => document.querySelectorAll(what);
    const gap = () => globalThis.scheduler?.yield?.() ?? new Promise((then) => setTimeout(then));
    const run = ({ textContent }, type) => document.head.append(Object.assign(document.createElement("script"), { type, textContent }));
    const wake = async () => {
      const links = [...late("link[rel=${LATE}]")];
      for (const link of links) {
        Object.assign(link, { fetchPriority: "low", rel: "modulepreload" });
        await gap();
      }
      for (const { href } of links) {
        if (/\\/assets\\/(?!entry[.]client)/.test(href)) await import(href).catch(() => {});
        await gap();
      }
      for (const script of late("script[type=${LATE}-script]")) run(script, "");
      for (const { textContent } of late("#${LATE}-data")) __reactRouterContext.stream = new Blob([textContent]).stream();
      for (const script of late("script[type=${LATE}-module]")) run(script, "module");
    };
    if (document.hidden || !globalThis.PerformanceObserver?.supportedEntryTypes?.includes("paint")) return wake();
    new PerformanceObserver((_, observer) => (observer.disconnect(), wake())).observe({ type: "paint", buffered: true });
  })
}</script>`;
