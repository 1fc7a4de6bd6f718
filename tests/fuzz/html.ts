import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";

export type Script = { type: string; text: string };
export type ParsedPage = {
  /** The distinct elements: each with the elements around it and the names of its attributes. */
  shapes: Set<string>;
  /** The texts outside of scripts and styles, and the values of attributes. */
  texts: string[];
  /** The addresses to which the page leads, or from which it loads. */
  urls: string[];
  scripts: Script[];
};

const LEADING = new Set(["href", "src", "srcset", "action", "formaction", "poster", "data", "xlink:href"]);
const SILENT = ["script", "style"];

/** Parses a page as a browser does. */
export function parsePage(html: string): ParsedPage {
  const page: ParsedPage = { shapes: new Set(), texts: [], urls: [], scripts: [] };
  visit(parse(html), "", page);
  return page;
}

function visit(node: Tree.Node, around: string, page: ParsedPage): void {
  if ("value" in node && !SILENT.some((name) => around.endsWith(`>${name}`))) page.texts.push(node.value);
  if ("data" in node) page.shapes.add(`${around}>comment`);
  let inside = around;
  if ("tagName" in node) {
    inside = `${around}>${node.tagName}`;
    const names = node.attrs.map(({ name }) => name).sort();
    page.shapes.add(`${inside}[${names.join(" ")}]`);
    for (const { name, value } of node.attrs) (LEADING.has(name) ? page.urls : page.texts).push(value);
    if (node.tagName === "script") page.scripts.push(scriptOf(node));
  }
  const within = "content" in node ? node.content.childNodes : "childNodes" in node ? node.childNodes : [];
  for (const child of within) visit(child, inside, page);
}

function scriptOf({ attrs, childNodes }: Tree.Element): Script {
  const type = attrs.find(({ name }) => name === "type")?.value ?? "";
  return { type, text: childNodes.map((child) => ("value" in child ? child.value : "")).join("") };
}
