import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const ACE = readFileSync(createRequire(import.meta.url).resolve("accessibility-checker-engine/ace.js"), "utf8");

type Issue = {
  ruleId: string;
  reasonId: string;
  value: [policy: string, confidence: string];
  message: string;
  snippet: string;
};
type Ace = { Checker: new () => { check(node: Document, guidelines: string[]): Promise<{ results: Issue[] }> } };

/**
 * The certain findings of IBM's accessibility engine, one line each. All folded content is unfolded first, because the
 * engine ignores folded text, and would report a folded field as a field without a label.
 */
export async function secondOpinion(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "ace" in globalThis))) await page.evaluate(ACE);
  return page.evaluate(async () => {
    for (const details of document.querySelectorAll("details")) {
      details.removeAttribute("name"); // otherwise only one element of the same name can be open
      details.open = true;
    }
    const { Checker } = (globalThis as unknown as { ace: Ace }).ace;
    const { results } = await new Checker().check(document, ["WCAG_2_2"]);
    return results
      .filter(({ value: [policy, confidence] }) => policy === "VIOLATION" && confidence === "FAIL")
      .map(({ ruleId, reasonId, message, snippet }) => `${ruleId} ${reasonId}: ${message} ${snippet.slice(0, 200)}`);
  });
}
