import type { TextBlock } from "#db/types.ts";

/** The longest text of a page in characters, as it is typed. */
export const TEXT_MAX = 20_000;

/**
 * The blocks of a typed text. A blank line begins a new paragraph. A line that begins with "# " is a heading, and lines
 * that begin with "- " are a list. Other line breaks are spaces.
 */
export function readNotation(typed: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  const add = (block: TextBlock): TextBlock => {
    blocks.push(block);
    return block;
  };
  let open: TextBlock | undefined;
  for (const line of typed.normalize("NFC").split(/\r\n|\r|\n/)) {
    const text = line.replaceAll(/\s+/g, " ").trim();
    const [, mark, marked = ""] = /^([#-]) (.+)$/.exec(text) ?? [];
    if (text === "") open = undefined;
    else if (mark === "#") {
      add({ kind: "heading", text: marked });
      open = undefined;
    } else if (mark === "-") {
      if (open?.kind === "list") open.items.push(marked);
      else open = add({ kind: "list", items: [marked] });
    } else if (!open) open = add({ kind: "paragraph", text });
    else if (open.kind === "list") open.items.push(`${open.items.pop()} ${text}`);
    else open.text += ` ${text}`;
  }
  return blocks;
}

/** The text that `readNotation` reads as these blocks. */
export function writeNotation(blocks: TextBlock[]): string {
  return blocks
    .map((block) => {
      if (block.kind === "list") return block.items.map((item) => `- ${item}`).join("\n");
      return block.kind === "heading" ? `# ${block.text}` : block.text;
    })
    .join("\n\n");
}

export type TextLink = { text: string; to: string };

/** A link to a page of the shop, or to a page elsewhere: `[text](/path)`, `[text](https://…)`. */
const LINK = /\[([^[\]]+)\]\(([^()\s]*)\)/g;

/**
 * Whether a link may lead there. A second slash or a backslash would make a path another site's address, and a browser
 * would run what follows `javascript:`.
 */
export function isLinkTarget(to: string): boolean {
  return /^\/(?![/\\])/.test(to) || /^https:\/\/[^/]/.test(to);
}

/** A text in parts: its links, and what stands between them. A link that may not lead where it does is text. */
export function partsOf(text: string): (string | TextLink)[] {
  const parts: (string | TextLink)[] = [];
  let end = 0;
  for (const { 0: all, 1: name = "", 2: to = "", index } of text.matchAll(LINK)) {
    if (!isLinkTarget(to)) continue;
    if (index > end) parts.push(text.slice(end, index));
    parts.push({ text: name, to });
    end = index + all.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** The targets of all that is written like a link, also of those that `partsOf` takes for text. */
export function targetsIn(text: string): string[] {
  return [...text.matchAll(LINK)].map(([, , to = ""]) => to);
}

/** The text as people read it, without the targets of its links. */
export function plainOf(text: string): string {
  return partsOf(text)
    .map((part) => (typeof part === "string" ? part : part.text))
    .join("");
}
