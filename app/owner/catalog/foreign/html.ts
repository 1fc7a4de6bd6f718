import { compile } from "html-to-text";
import { withEntities } from "#app/infra/text/entities.ts";

const BLOCKS = /<(?:p|div|ul|ol|li|br|h[1-6]|table|section)\b/i;

const reader = (preserveNewlines: boolean) =>
  compile({
    wordwrap: false,
    preserveNewlines,
    limits: { maxDepth: 500 }, // the library walks by recursion
    selectors: [
      { selector: "a", options: { ignoreHref: true } },
      { selector: "img", format: "skip" },
      // The library's own tables make as many cells as a colspan says, however many.
      { selector: "tr", format: "block" },
      ...["td", "th"].map((selector) => ({ selector, format: "inlineSurround", options: { suffix: " " } })),
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
const readBlocks = reader(false);
const readLines = reader(true);

/** The text of a description in HTML. Without blocks its line breaks are those of the text. */
export function textOfHtml(html: string): string {
  if (html === "") return "";
  const text = BLOCKS.test(html) ? readBlocks(html) : readLines(html);
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A text as HTML of one line, which `textOfHtml` reads as the same text; several spaces become one. */
export function htmlOfText(text: string): string {
  const line = (one: string) => withEntities(one.replace(/[\s\u200b]+/g, " ").trim());
  const paragraphs = text.split(/\n\s*\n/).map((one) => one.split("\n").map(line).filter(Boolean).join("<br>"));
  return paragraphs
    .filter(Boolean)
    .map((one) => `<p>${one}</p>`)
    .join("");
}
