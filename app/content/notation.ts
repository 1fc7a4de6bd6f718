import { capital } from "#app/infra/text/capital.ts";
import type { TextBlock } from "#db/types.ts";

/** The longest typed text of a page or email, in characters. */
export const TEXT_MAX = 20_000;

/** The longest typed subject of an email, in characters. */
export const SUBJECT_MAX = 120;

/** A typed subject as one line. */
export function readSubject(typed: string): string {
  return typed.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

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
/** A part of a text: plain text, a link, or the shop's email address as a link, which the text names as `{email}`. */
export type TextPart = string | TextLink | typeof EMAIL;

export const EMAIL = Symbol("the shop's email address");

/** The paragraph that the page about shipping replaces by the delivery prices. */
export const PRICES = "{delivery prices}";

/** A link to a page of the shop, or to a page elsewhere: `[text](/path)`, `[text](https://…)`. */
const LINK = /\[([^[\]]+)\]\(([^()\s]*)\)/g;
const LINK_OR_EMAIL = new RegExp(`${LINK.source}|\\{email\\}`, "g");

/**
 * Whether a link may lead there. A second slash or a backslash would make a path another site's address, and a browser
 * would run what follows `javascript:`.
 */
export function isLinkTarget(to: string): boolean {
  return /^\/(?![/\\])/.test(to) || /^https:\/\/[^/]/.test(to);
}

/** The parts of a text, in order. A link to a target that is not allowed stays text. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: all, 1: name, 2: to = "", index } of text.matchAll(LINK_OR_EMAIL)) {
    if (name !== undefined && !isLinkTarget(to)) continue;
    if (index > end) parts.push(text.slice(end, index));
    parts.push(name === undefined ? EMAIL : { text: name, to });
    end = index + all.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** The targets of all links in a text, including those that `partsOf` leaves as text. */
export function targetsIn(text: string): string[] {
  return [...text.matchAll(LINK)].map(([, , to = ""]) => to);
}

/** A name in braces, which an email replaces by a value. */
const PLACEHOLDER = /\{([^{}]*)\}/g;
/** The two characters before a placeholder that begins a sentence. */
const SENTENCE_BEFORE = /^$|[.!?] $/;
/** A placeholder with the comma and the space before it. */
const WITH_BEFORE = /,? ?\{([^{}]*)\}/g;
/** A placeholder at the beginning of a line, up to the first character of the next word. */
const WITH_AFTER = /^\{([^{}]*)\}[^\p{L}\p{N}{[]*(.?)/u;

/** The names of a text's placeholders: "first name" of `{first name}`. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/**
 * A text with its placeholders replaced by `values`, capitalized where a sentence begins. Placeholders within a value
 * are not replaced, and unknown ones stay.
 */
export function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string, at: number) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = String(values[name]);
    return SENTENCE_BEFORE.test(text.slice(Math.max(at - 2, 0), at)) ? capital(value) : value;
  });
}

/**
 * A line without the placeholders whose values are empty: "Hello {first name}, it came" is "Hello, it came", and
 * "{first name}, it came" is "It came".
 */
export function withoutEmpty(line: string, values: Record<string, string>): string {
  return line
    .replace(WITH_AFTER, (whole, name: string, next: string) => (values[name] === "" ? next.toUpperCase() : whole))
    .replaceAll(WITH_BEFORE, (whole, name: string) => (values[name] === "" ? "" : whole));
}

/** All links of a text as typed, with their brackets, including those that `partsOf` leaves as text. */
export function linksIn(text: string): string[] {
  return [...text.matchAll(LINK)].map(([link]) => link);
}

/** The text as people read it, without the targets of its links and without the email address. */
export function plainOf(text: string): string {
  return partsOf(text)
    .map((part) => (typeof part === "object" ? part.text : typeof part === "string" ? part : ""))
    .join("");
}
