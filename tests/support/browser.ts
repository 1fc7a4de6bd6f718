import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser's own note of a form that was refused, as it should be; the payment library's two ways to allow payments in its frame. */
const EXPECTED = /status of 400|take precedence over 'allowpaymentrequest'/;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
}

/** A visitor. Whatever the pages print or throw, and whatever they ask of other machines, is in `complaints`. */
export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  context.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (!EXPECTED.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(`error: ${error.error().message}`));
  await context.route(/^https?:\/\/(?!(localhost|127\.0\.0\.1)[:/])/, (route) => {
    complaints.push(`asked another machine: ${route.request().url()}`);
    return route.abort();
  });
  return { page: await context.newPage(), context, complaints };
}
