/**
 * A page is whole without script, so its script waits for the first paint: on a slow network it would take the connection away from the style,
 * the fonts and the first picture, on a slow phone the time for the layout. Until then the router's scripts stand in the page with a type that
 * browsers do not run, and what its loaders have sent as data.
 *
 * This depends on what the router writes into a page, which no release of it promises. DEFER_HYDRATION=false turns it off: pages are then as the
 * router makes them.
 */
const DEFERRED = "deferred";

/** A page, and the text of each inline script that belongs in it. */
export type PageWithScripts = { html: string; scripts: string[] };

/** The page as the router has rendered it, all in one piece. `mark` is the nonce that the router was given: its scripts are known by it, and it does not leave the server. */
export function withImmediateHydration(rendered: string, mark: string): PageWithScripts {
  const scripts = [FIRST, RESTORE_SCROLL, TITLE_FACE];
  for (const [, attributes = "", text] of rendered.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g))
    if (text && attributes.includes(nonceOf(mark))) scripts.push(text);
  const html = withTitleFace(rendered.replaceAll(nonceOf(mark), ""));
  return {
    html: replaced(html, "<head>", `<head><script>${FIRST}</script><script>${RESTORE_SCROLL}</script>`),
    scripts,
  };
}

/**
 * The page with its scripts put off. `data` is the loaders' stream of lines (turbo-stream) as one text. `mark` as above: it tells the router's
 * scripts from any other that has come into the page. Throws where the router's page has another shape than this file knows.
 */
export function withDeferredHydration(rendered: string, data: string, mark: string): PageWithScripts {
  const scripts = [FIRST, START, TITLE_FACE];
  const deferScript = (html: string, opening: string, type: string, knownBy: string) => {
    const at = indexIn(html, opening);
    const text = html.slice(at + opening.length, html.indexOf("</script>", at));
    indexIn(text, knownBy);
    scripts.push(text);
    return replaced(html, opening + text, `<script type="${DEFERRED}-${type}">${text}`);
  };
  let html = deferScript(rendered, `<script${nonceOf(mark)} type="module" async="">`, "module", "import ");
  html = deferScript(html, `<script${nonceOf(mark)}>`, "script", "window.__reactRouterContext = {");
  if (html.includes(`<script${nonceOf(mark)}`)) throw changed("a third script");
  indexIn(html, MODULE_PRELOAD);
  html = withTitleFace(html.replaceAll(nonceOf(mark), "").replaceAll(MODULE_PRELOAD, `<link rel="${DEFERRED}"`));
  html = replaced(html, "<head>", `<head><script>${FIRST}</script>`);
  const dataBlock = `<script type="application/json" id="${DEFERRED}-data">${data.replaceAll("<", "\\u003c")}</script>`;
  return { html: replaced(html, "</body>", `${dataBlock}<script>${START}</script></body>`), scripts };
}

/** At the end of the head it waits for the style sheets that stand there. */
function withTitleFace(html: string): string {
  return replaced(html, "</head>", `<script>${TITLE_FACE}</script></head>`);
}

const MODULE_PRELOAD = '<link rel="modulepreload"';

function nonceOf(mark: string): string {
  return ` nonce="${mark}"`;
}

/** Not `String.replace`: what is put in may hold `$&`. */
function replaced(html: string, from: string, to: string): string {
  const at = indexIn(html, from);
  return html.slice(0, at) + to + html.slice(at + from.length);
}

function indexIn(html: string, part: string): number {
  const at = html.indexOf(part);
  if (at === -1) throw changed(`no ${part.replace(/ nonce="[^"]*"/, "")}`);
  return at;
}

function changed(what: string): Error {
  return new Error(
    `The router's pages have changed: there is ${what}. Set DEFER_HYDRATION=false until deferred-hydration.server.ts knows their new shape`,
  );
}

/**
 * Whoever goes back to another page of the same visit before the router is there, as after a reload, gets that page from the server: browsers
 * change the address alone. It stands first, since a page may be left while it still arrives.
 */
const EARLY_BACK = `{
  const address = () => location.pathname + location.search;
  const shown = address();
  addEventListener("popstate", () => {
    if (!globalThis.__reactRouterDataRouter && address() !== shown) location.reload();
  });
}`;

/** The titles' face (app/ui/display.css) is read before the first title is laid out; one that is read afterwards is not used in this page. */
const TITLE_FACE = `document.fonts?.load('760 1em "Archivo Display"')`;

/** The currency that leads in this browser does so from the first paint on, so that prices do not change places afterwards. The names are those of catalog/currency/choice.browser.ts. */
const LEADING_CURRENCY = `try {
  const currency = localStorage.getItem("currency") ?? localStorage.getItem("currencyDetected");
  if (currency) document.documentElement.dataset.currency = currency;
} catch {}`;

/** What runs before anything is shown. */
const FIRST = `${LEADING_CURRENCY}
${EARLY_BACK}`;

/** What the script of <ScrollRestoration> does: each page of the history has a key under which its place is kept. */
const RESTORE_PLACE = `
    try {
      if (!history.state?.key) history.replaceState({ key: Math.random().toString(36).slice(2) }, "");
      const place = JSON.parse(sessionStorage.getItem("react-router-scroll-positions") ?? "{}")[history.state.key];
      if (place > 0 && scrollY === 0) scrollTo(0, place);
    } catch {}`;

const RESTORE_SCROLL = `{
  addEventListener("DOMContentLoaded", () => {${RESTORE_PLACE}
  });
}`;

/**
 * Starts the router after the first paint, at once in a page that nobody sees, and after 3 s in a browser that tells of no paint. Each module is
 * asked for and run in a task of its own, and the one that begins the hydration last: a tap finds a gap.
 */
const START = `{
  addEventListener("DOMContentLoaded", () => {
    const textOf = (what) => document.querySelector(what).textContent;
    const gap = () => globalThis.scheduler?.yield?.() ?? new Promise((then) => setTimeout(then));
    const run = (textContent, type) => document.head.append(Object.assign(document.createElement("script"), { type, textContent }));
    const restorePlace = () => {${RESTORE_PLACE}
    };
    let isStarted = false;
    const start = async () => {
      if (isStarted) return;
      isStarted = true;
      restorePlace();
      await gap();
      const links = [...document.querySelectorAll("link[rel=${DEFERRED}]")];
      for (const link of links) {
        Object.assign(link, { fetchPriority: "low", rel: "modulepreload" });
        await gap();
      }
      for (const { href } of links) {
        if (/\\/assets\\/(?!entry[.]client)/.test(href)) await import(href).catch(() => {});
        await gap();
      }
      run(textOf("script[type=${DEFERRED}-script]"), "");
      __reactRouterContext.stream = new Blob([textOf("#${DEFERRED}-data")]).stream();
      run(textOf("script[type=${DEFERRED}-module]"), "module");
    };
    if (document.hidden || performance.getEntriesByType?.("paint")?.length > 0) return start();
    setTimeout(start, 3000);
    try {
      new PerformanceObserver(start).observe({ type: "paint", buffered: true });
    } catch {}
  });
}`;
