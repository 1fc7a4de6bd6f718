import { compile } from "html-to-text";

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

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** A text as HTML of one line, which `textOfHtml` reads as the same text; several spaces become one. */
export function htmlOfText(text: string): string {
  const line = (one: string) =>
    one
      .replace(/[\s\u200b]+/g, " ")
      .trim()
      .replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
  const paragraphs = text.split(/\n\s*\n/).map((one) => one.split("\n").map(line).filter(Boolean).join("<br>"));
  return paragraphs
    .filter(Boolean)
    .map((one) => `<p>${one}</p>`)
    .join("");
}
