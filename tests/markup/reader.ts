import { type DefaultTreeAdapterTypes as Nodes, parse } from "parse5";

/**
 * The elements for which a text browser begins a line. Lynx and w3m begin none for those of HTML 5 (`nav`, `section` and
 * the like), and w3m none for `legend`.
 */
const LINES = new Set(
  `address blockquote body br caption center dd dir div dl dt form h1 h2 h3 h4 h5 h6 hr html li ol option p pre select table tbody td textarea
  tfoot th thead tr ul`.split(/\s+/),
);
const SILENT = new Set(["head", "script", "style", "svg", "template", "title"]);

/** The characters that end a word and that begin one: `3.` before `Who` as well as `Lagos` before `3`. */
const END = /[\p{L}\p{N}\p{Pe}\p{Pf}.,:;!?%…*]$/u;
const BEGIN = /^[\p{L}\p{N}\p{Sc}\p{Ps}\p{Pi}≈×+]/u;

export type Read = {
  /** The page's text, line by line. */
  lines: string[];
  /** Places where only a tag separates the end of one word from the next word. */
  joined: string[];
  /** Links and buttons without any text. */
  nameless: string[];
};

/**
 * A page as read from its markup alone, without styles, scripts and roles, as by text browsers, search engines and
 * reader views.
 */
export function readPage(html: string): Read {
  const read: Read = { lines: [""], joined: [], nameless: [] };
  visit(parse(html, { scriptingEnabled: false }), read, { isBehindTag: false });
  read.lines = read.lines.map((line) => line.replaceAll(/\s+/g, " ").trim()).filter(Boolean);
  return read;
}

function visit(node: Nodes.Node, read: Read, place: { isBehindTag: boolean }): void {
  if ("value" in node) say(node.value, read, place);
  if (!("childNodes" in node)) return;
  const name = "tagName" in node ? node.tagName : "";
  if (SILENT.has(name)) {
    place.isBehindTag = true;
    return;
  }
  const of = "attrs" in node ? Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])) : {};
  const isLine = LINES.has(name);
  if (isLine) read.lines.push("");
  else if (name) place.isBehindTag = true;
  if (name === "img") say(of.alt ?? "", read, place);
  for (const child of node.childNodes) visit(child, read, place);
  if (isLine) read.lines.push("");
  else if (name) place.isBehindTag = true;
  const acts = name === "button" || (name === "a" && of.href !== undefined && of["aria-hidden"] !== "true");
  if (acts && !wordsIn(node)) read.nameless.push(`<${name}> ${of["aria-label"] ?? of.href ?? ""}`);
}

function say(text: string, read: Read, place: { isBehindTag: boolean }): void {
  if (text === "") return;
  const before = read.lines.at(-1) ?? "";
  if (place.isBehindTag && END.test(before) && BEGIN.test(text))
    read.joined.push(`${before.trim().slice(-30)}|${text.trim().slice(0, 30)}`);
  read.lines[read.lines.length - 1] = before + text;
  place.isBehindTag = false;
}

function wordsIn(node: Nodes.Node): string {
  if ("value" in node) return node.value.trim();
  if ("tagName" in node && SILENT.has(node.tagName)) return "";
  const alt = "attrs" in node ? node.attrs.find(({ name }) => name === "alt")?.value : undefined;
  if (alt) return alt;
  return "childNodes" in node ? node.childNodes.map(wordsIn).join("") : "";
}
