import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Page,
  type Request,
} from "playwright-core";
import { forget, tellIfRed } from "./evidence.ts";

/** `BROWSER=firefox` lets any journey run in Debian's Firefox instead. */
const inFirefox = process.env.BROWSER === "firefox";

/** This list replaces Playwright's, so it repeats what Playwright turns off. */
const TURNED_OFF = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  // The list below the address bar is a separate page, loaded for each new context: half of the processor time of a
  // visit.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
];

const FLAGS = [
  `--disable-features=${TURNED_OFF}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No name of another machine resolves. (Requests that are routed through the test would bypass the browser's cache,
  // and take time.)
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
];

/**
 * Expected messages of the browser: about a form that was refused, as it should be; about a test that measures content
 * that is not drawn yet; about the payment library's two ways to allow payments in its frame; about a page that wanted
 * the service worker.
 */
const EXPECTED =
  /status of 400|subtree hidden by content-visibility|take precedence over 'allowpaymentrequest'|^Service Worker registration blocked/;

const FIREFOX = path.resolve(import.meta.dirname, "../browsers/firefox.ts");

const OWN = /^(https?:\/\/(localhost|127\.0\.0\.1)[:/]|data:|blob:|about:)/;

/** Debian's Chromium. The headless shell takes a quarter less processor time. */
export const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync);

export function openBrowser(): Promise<Browser> {
  if (inFirefox) return openFirefox();
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/**
 * Firefox, driven by WebDriver BiDi, which it has built in. Its proxy has no listener, so that no other machine can be
 * reached.
 */
function openFirefox(preferences: Record<string, boolean> = {}): Promise<Browser> {
  const proxy = { server: "http://127.0.0.1:9" };
  // One process for all sites: clicks would not reach a frame in another process, such as the provider's popup.
  const firefoxUserPrefs = { "fission.webContentIsolationStrategy": 0, ...preferences };
  return firefox.launch({ channel: "moz-firefox", executablePath: FIREFOX, proxy, firefoxUserPrefs });
}

/** A second Firefox for pages without script, since Firefox can switch script off only for all of its pages. */
async function openFirefoxWithoutScript(beside: Browser): Promise<Browser> {
  const browser = await openFirefox({ "javascript.enabled": false });
  beside.once("disconnected", () => void browser.close());
  return browser;
}

/** The option of visitors whose pages have the shop's service worker. */
export const WITH_WORKER = { serviceWorkers: "allow" } as const;

/**
 * A visitor's page. It has the shop's service worker only if `options` say so, because that fetches each visited page a
 * second time. `complaints` lists whatever the pages print or throw, and their requests to other machines.
 */
export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const isWithoutScript = options.javaScriptEnabled === false;
  const opened = inFirefox && isWithoutScript ? await openFirefoxWithoutScript(browser) : browser;
  const context = await opened.newContext({
    viewport: { width: 390, height: 844 },
    serviceWorkers: "block",
    ...options,
  });
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  context.on("console", (message) => {
    const text = message.text();
    const where = text.startsWith("Failed to load resource") ? ` ${message.location().url}` : "";
    if (!EXPECTED.test(text)) complaints.push(`${message.type()}: ${text}${where}`);
  });
  context.on("weberror", (error) => complaints.push(`error: ${error.error().message}`));
  context.on("request", (request) => {
    if (!OWN.test(request.url())) complaints.push(`asked another machine: ${request.url()}`);
  });
  if (!isWithoutScript) context.on("page", waitForScript);
  else if (inFirefox) context.on("page", actWithoutScript);
  if (inFirefox) {
    context.on("page", fillByKeyboard);
    forgetBrokenOff(context, complaints);
  }
  const traced = await startTrace(context);
  context.on("page", (page) => {
    tellIfRed(page, `the page at ${page.url()}`, () => look(page, traced));
    page.on("close", () => forget(page));
  });
  return { page: await context.newPage(), context, complaints };
}

/** The folder for pictures and traces of red tests. Only a second look has one. */
const { TEST_EVIDENCE } = process.env;

async function startTrace(context: BrowserContext): Promise<boolean> {
  if (!TEST_EVIDENCE || inFirefox) return false;
  // No snapshots of the document: with them Playwright also keeps each response, and asks the page once more for one
  // that the browser has dropped, which its Content Security Policy may refuse.
  await context.tracing.start({ screenshots: true, snapshots: false });
  return true;
}

/** The page's contents as a screen reader gets them. */
async function look(page: Page, isTraced: boolean): Promise<string> {
  const seen = await page.locator("body").ariaSnapshot({ timeout: 5000 });
  if (!TEST_EVIDENCE) return `${page.url()}\n${seen}`;
  const name = path.join(TEST_EVIDENCE, randomUUID());
  await page.screenshot({ path: `${name}.png`, timeout: 5000 });
  if (isTraced) await page.context().tracing.stop({ path: `${name}.zip` });
  return `${page.url()}\n${seen}\n${name}.png${isTraced ? `, ${name}.zip` : ""}`;
}

/**
 * Makes `goto` and `reload` wait for the page's script, which loads after the first paint, unless the test says what to
 * wait for. "networkidle" also waits for the script's requests: on a busy machine these may begin only after the half
 * second without a request for which Playwright waits.
 */
function waitForScript(page: Page): void {
  const { goto, reload } = page;
  const isQuiet = followRequests(page);
  const there = async <Answer>(going: Promise<Answer>, until = "load"): Promise<Answer> => {
    const answer = await going;
    if (until === "load" || until === "networkidle") await scriptIsThere(page);
    if (until === "networkidle") await isQuiet();
    return answer;
  };
  page.goto = (url, options) => there(goto.call(page, url, options), options?.waitUntil);
  page.reload = (options) => there(reload.call(page, options), options?.waitUntil);
}

/** Returns a function that waits until no request of the page is under way. Streams, which stay open, do not count. */
function followRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  const ended = new EventTarget();
  const end = (request?: Request) => {
    if (request) open.delete(request);
    else open.clear();
    ended.dispatchEvent(new Event("end"));
  };
  page.on("request", (request) => request.resourceType() !== "eventsource" && open.add(request));
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  page.on("framenavigated", () => end()); // requests sent by a page that is left never report their end
  return async () => {
    while (open.size > 0) await once(ended, "end");
  };
}

/**
 * Navigating aborts requests under way. Firefox prints that as an error of the service worker that was answering. Only
 * errors about requests that Firefox also reports as aborted are excused.
 */
function forgetBrokenOff(context: BrowserContext, complaints: string[]): void {
  const brokenOff = new Set<string>();
  const forget = () => {
    const isExcused = (one: string) =>
      [...brokenOff].some((url) => one.includes(`‘${url}’. A ServiceWorker intercepted`));
    complaints.splice(0, Infinity, ...complaints.filter((one) => !isExcused(one)));
  };
  context.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "NS_BINDING_ABORTED") brokenOff.add(request.url());
    forget();
  });
  context.on("weberror", forget);
}

/** In Firefox, React does not notice text that Playwright sets, so the text is typed. */
function fillByKeyboard(page: Page): void {
  const frame = page.mainFrame();
  frame.fill = async (selector, words, options) => {
    await frame.focus(selector, options);
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type(words);
  };
}

/**
 * Without script, a page in Firefox runs no frame callbacks and settles no promises. `force` keeps Playwright from
 * waiting for both.
 */
function actWithoutScript(page: Page): void {
  const frame = page.mainFrame();
  const { click, check } = frame;
  frame.click = (selector, options) => click.call(frame, selector, { ...options, force: true });
  frame.check = (selector, options) => check.call(frame, selector, { ...options, force: true });
  frame.selectOption = async (selector, option, options) => {
    await frame.focus(selector, options);
    await page.keyboard.type(String(option));
    return [String(option)];
  };
}

/**
 * Acts, and waits until the page shows the words, which may be there for only a second. The page itself looks for them
 * at each frame: Playwright would look only twice a second, or less often on a busy machine. Between two documents there
 * is no body.
 */
export async function seesAfter(page: Page, words: string, act: () => unknown): Promise<void> {
  const seen = page.waitForFunction((words) => document.body?.innerText.includes(words), words);
  await Promise.all([seen, act()]);
}
export const PAID = "Payment successful! Order has been recorded.";

/** Waits for two frames, so that what has arrived is visible. */
export const drawn = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Waits for the shop's script, if the page has one. */
export async function scriptIsThere(page: Page): Promise<void> {
  await page.waitForFunction(isScriptThere);
  await page.waitForFunction(hasNothingToDo);
}

/**
 * Runs in the page. Resolves when the page has done what it does once its script is there. Where tasks have priorities,
 * this one runs after React's.
 */
async function hasNothingToDo(): Promise<boolean> {
  type Scheduler = { postTask?(task: () => void, options: { priority: "background" }): Promise<void> };
  const { scheduler } = globalThis as { scheduler?: Scheduler };
  await scheduler?.postTask?.(() => {}, { priority: "background" });
  return true;
}

/** Runs in the page. */
export function isScriptThere(): boolean {
  return (
    "__reactRouterDataRouter" in window ||
    !document.querySelector('script[type="text/x-deferred-module"], script[type="module"][async]')
  );
}
