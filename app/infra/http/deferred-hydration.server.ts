/**
 * A page works without scripts, so its scripts wait for the first paint. Before it, they would compete with the styles,
 * the fonts and the first picture for a slow network, and with the layout for a slow phone's CPU. Until then the
 * router's scripts stand in the page under a type that browsers do not run, and the loaders' data stands there as plain
 * text.
 *
 * This depends on markup of the router that none of its releases guarantees. DEFER_HYDRATION=false turns the deferral
 * off: pages are then as the router makes them.
 */
const DEFERRED = "deferred";

/** A MIME type that is no script's: browsers do not run the text. */
const typeOf = (kind: "module" | "script") => `text/x-${DEFERRED}-${kind}`;

/** A page, and the text of each inline script that its policy has to allow. */
export type PageWithScripts = { html: string; scripts: string[] };

/**
 * The complete page, with the router's scripts unchanged. `mark` is the nonce that was given to the router: its scripts
 * are recognized by the nonce, which is removed from the page.
 */
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
 * The page with its scripts deferred. `data` is the loaders' stream of lines (turbo-stream) as one text. `mark`, as
 * above, distinguishes the router's scripts from others that somebody may have injected. Throws if the router's page
 * does not have the expected structure.
 */
export function withDeferredHydration(rendered: string, data: string, mark: string): PageWithScripts {
  const scripts = [FIRST, START, TITLE_FACE];
  const deferScript = (html: string, opening: string, kind: "module" | "script", knownBy: string) => {
    const at = indexIn(html, opening);
    const text = html.slice(at + opening.length, html.indexOf("</script>", at));
    indexIn(text, knownBy);
    scripts.push(text);
    return replaced(html, opening + text, `<script type="${typeOf(kind)}">${text}`);
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

/** At the end of the head the script runs only after the style sheets in the head have loaded. */
function withTitleFace(html: string): string {
  return replaced(html, "</head>", `<script>${TITLE_FACE}</script></head>`);
}

const MODULE_PRELOAD = '<link rel="modulepreload"';

function nonceOf(mark: string): string {
  return ` nonce="${mark}"`;
}

/** Not `String.replace`, which would interpret `$&` in the inserted text. */
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
 * Handles going back to another page before the router has started, as after a reload: browsers then change only the
 * address, so the page is loaded from the server. It runs first, since a page may be left while it is still loading.
 */
const EARLY_BACK = `{
  const address = () => location.pathname + location.search;
  const shown = address();
  addEventListener("popstate", () => {
    if (!globalThis.__reactRouterDataRouter && address() !== shown) location.reload();
  });
}`;

/**
 * Loads the titles' font (app/ui/display.css) before the first title is laid out: a font that arrives later is not used
 * in this page.
 */
const TITLE_FACE = `document.fonts?.load('760 1em "Archivo Display"')`;

/**
 * Marks the page for this visitor before the first paint, so that nothing changes under the reader's eyes. Stores
 * whether somebody is signed in (account/session/summary.browser.ts), and the chosen currency
 * (catalog/currency/choice.browser.ts), since a page that is read offline may have been rendered before the choice.
 */
const VISITOR = `try {
  const { dataset } = document.documentElement;
  dataset.session = document.cookie.includes("irepo_in=") ? "open" : "none";
  const currency = localStorage.getItem("currency");
  if (currency) dataset.currency = currency;
} catch {}`;

/** The script that runs before anything is painted. */
const FIRST = `${VISITOR}
${EARLY_BACK}`;

/**
 * Does the same as the script of <ScrollRestoration>: each entry of the history has a key, under which its scroll
 * position is stored.
 */
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
 * Starts the router after the first paint, at once in a hidden page, and after 3 s in a browser that does not report
 * paints. Each module is requested and run in a task of its own, so that taps are handled in between; the module that
 * begins the hydration comes last.
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
      run(textOf("script[type='${typeOf("script")}']"), "");
      __reactRouterContext.stream = new Blob([textOf("#${DEFERRED}-data")]).stream();
      run(textOf("script[type='${typeOf("module")}']"), "module");
    };
    if (document.hidden || performance.getEntriesByType?.("paint")?.length > 0) return start();
    setTimeout(start, 3000);
    try {
      new PerformanceObserver(start).observe({ type: "paint", buffered: true });
    } catch {}
  });
}`;
