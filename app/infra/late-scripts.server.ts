/**
 * A page is whole without script, so its script waits for the first paint: on a slow network it would take the connection away from the style,
 * the fonts and the first picture, on a slow phone the time for the layout. Until then the router's scripts stand in the page under names that
 * browsers pass over, and what its loaders have sent as data.
 */
const LATE = "late";

/** The page with its scripts put off; `data` is the loaders' stream of lines (turbo-stream) as one text. Throws on a page that is not the router's. */
export function withLateScripts(html: string, data: string): string {
  const dataBlock = `<script type="application/json" id="${LATE}-data">${data.replaceAll("<", "\\u003c")}</script>`;
  let page = html.replaceAll('<link rel="modulepreload"', `<link rel="${LATE}"`);
  page = exchange(page, '<script type="module" async="">', `<script type="${LATE}-module">`);
  page = exchange(
    page,
    "<script>window.__reactRouterContext",
    `<script type="${LATE}-script">window.__reactRouterContext`,
  );
  page = exchange(page, "<head>", `<head>${BACK}`);
  return exchange(page, "</body>", `${dataBlock}${WAKE}</body>`);
}

function exchange(html: string, from: string, to: string): string {
  const at = html.indexOf(from);
  if (at === -1) throw new Error(`The router's pages have changed: there is no ${from}`);
  return html.slice(0, at) + to + html.slice(at + from.length);
}

/**
 * Whoever goes back to another page of the same visit before the router is there, as after a reload, gets that page from the server: browsers
 * change the address alone. It stands first, since a page may be left while it still arrives.
 */
const BACK = `<script>{
  const address = () => location.pathname + location.search;
  const shown = address();
  addEventListener("popstate", () => {
    if (!globalThis.__reactRouterDataRouter && address() !== shown) location.reload();
  });
}</script>`;

/**
 * Brings the scripts in after the first paint, at once in a page that nobody sees, and soon in a browser that does not tell. Each module is
 * asked for and run in a task of its own, and the one that begins the hydration last: a tap finds a gap. What the router would do at once is
 * done here, too: each page of the history has a key under which its place is kept.
 */
const WAKE = `<script>{
  addEventListener("DOMContentLoaded", () => {
    const textOf = (what) => document.querySelector(what).textContent;
    const gap = () => globalThis.scheduler?.yield?.() ?? new Promise((then) => setTimeout(then));
    const run = (textContent, type) => document.head.append(Object.assign(document.createElement("script"), { type, textContent }));
    const findPlace = () => {
      try {
        if (!history.state?.key) history.replaceState({ key: Math.random().toString(36).slice(2) }, "");
        const place = JSON.parse(sessionStorage.getItem("react-router-scroll-positions") ?? "{}")[history.state.key];
        if (place > 0 && scrollY === 0) scrollTo(0, place);
      } catch {}
    };
    let awake = false;
    const wake = async () => {
      if (awake) return;
      awake = true;
      findPlace();
      await gap();
      const links = [...document.querySelectorAll("link[rel=${LATE}]")];
      for (const link of links) {
        Object.assign(link, { fetchPriority: "low", rel: "modulepreload" });
        await gap();
      }
      for (const { href } of links) {
        if (/\\/assets\\/(?!entry[.]client)/.test(href)) await import(href).catch(() => {});
        await gap();
      }
      run(textOf("script[type=${LATE}-script]"), "");
      __reactRouterContext.stream = new Blob([textOf("#${LATE}-data")]).stream();
      run(textOf("script[type=${LATE}-module]"), "module");
    };
    if (document.hidden || performance.getEntriesByType?.("paint")?.length > 0) return wake();
    setTimeout(wake, 3000);
    try {
      new PerformanceObserver(wake).observe({ type: "paint" });
    } catch {}
  });
}</script>`;
