/**
 * A page is whole without script, so its script waits for the first paint: on a slow network it would take the connection away from the style,
 * the fonts and the first picture, on a slow phone the time for the layout. Until then the router's scripts stand in the page under names that
 * browsers pass over, and what its loaders have sent as data.
 */
const LATE = "late";

/** A page, and the text of each inline script that the shop has put into it. */
export type PageWithScripts = { html: string; scripts: string[] };

/**
 * The page with its scripts put off. `data` is the loaders' stream of lines (turbo-stream) as one text. `mark` is the nonce that the router was
 * given: a secret by which its scripts are told from any other that has come into the page, and which does not leave the server. Throws on a
 * page that is not the router's.
 */
export function withLateScripts(rendered: string, data: string, mark: string): PageWithScripts {
  const nonce = ` nonce="${mark}"`;
  const dataBlock = `<script type="application/json" id="${LATE}-data">${data.replaceAll("<", "\\u003c")}</script>`;
  const scripts = [BACK, WAKE];
  const putOff = (html: string, opening: string, type: string) => {
    const at = indexIn(html, opening);
    const text = html.slice(at + opening.length, html.indexOf("</script>", at));
    scripts.push(text);
    return exchange(html, opening + text, `<script type="${LATE}-${type}">${text}`);
  };
  let html = putOff(rendered, `<script${nonce} type="module" async="">`, "module");
  html = putOff(html, `<script${nonce}>`, "script");
  html = html.replaceAll(nonce, "").replaceAll('<link rel="modulepreload"', `<link rel="${LATE}"`);
  html = exchange(html, "<head>", `<head><script>${BACK}</script>`);
  return { html: exchange(html, "</body>", `${dataBlock}<script>${WAKE}</script></body>`), scripts };
}

function exchange(html: string, from: string, to: string): string {
  const at = indexIn(html, from);
  return html.slice(0, at) + to + html.slice(at + from.length);
}

function indexIn(html: string, part: string): number {
  const at = html.indexOf(part);
  if (at === -1) throw new Error(`The router's pages have changed: there is no ${part}`);
  return at;
}

/**
 * Whoever goes back to another page of the same visit before the router is there, as after a reload, gets that page from the server: browsers
 * change the address alone. It stands first, since a page may be left while it still arrives.
 */
const BACK = `{
  const address = () => location.pathname + location.search;
  const shown = address();
  addEventListener("popstate", () => {
    if (!globalThis.__reactRouterDataRouter && address() !== shown) location.reload();
  });
}`;

/**
 * Brings the scripts in after the first paint, at once in a page that nobody sees, and soon in a browser that does not tell. Each module is
 * asked for and run in a task of its own, and the one that begins the hydration last: a tap finds a gap. What the router would do at once is
 * done here, too: each page of the history has a key under which its place is kept.
 */
const WAKE = `{
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
}`;
