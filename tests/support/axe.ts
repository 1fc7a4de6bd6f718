import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** React Aria's live region. For seven seconds it refers to an element that may no longer exist. */
const NOT_SEEN = { exclude: ["[data-live-announcer]"] };

const LOOKS = 3;
const BETWEEN_LOOKS = 1000; // ms

/**
 * The findings of axe, one line each. Findings are checked again a moment later, since buttons and lists are dimmed
 * while a request is under way.
 */
export async function violations(page: Page): Promise<string[]> {
  for (let look = 1; ; look++) {
    const found = await lookOnce(page);
    if (found.length === 0 || look === LOOKS) return found;
    await pause(BETWEEN_LOOKS);
  }
}

async function lookOnce(page: Page): Promise<string[]> {
  const viewport = page.viewportSize() ?? { width: 0, height: 0 };
  // In a window as high as the page, nothing lies under sticky bars.
  const height = Math.max(5000, 1000 + (await page.evaluate(() => document.documentElement.scrollHeight)));
  await page.setViewportSize({ ...viewport, height });
  // After a client-side navigation, axe is still loaded.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  await page.emulateMedia({ reducedMotion: "reduce" }); // words that fade in or out have too little contrast
  const found = await page.evaluate(async (context) => {
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run(context: unknown, options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      }
    ).axe.run(context, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  }, NOT_SEEN);
  await page.emulateMedia({ reducedMotion: null });
  await page.setViewportSize(viewport);
  return found;
}
