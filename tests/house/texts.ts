import path from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { type Source, shipped } from "./sources.ts";

// The texts that people read, by file. `node tests/house/texts.ts` prints them, to be read in one sitting; a folder or
// file after it narrows the list.

/** Attributes and functions whose strings nobody reads. */
const UNREAD_ATTRIBUTES =
  /^(style|to|href|action|src|id|d|rel|type|name|sizes|media|points|form|viewBox)$|[cC]lassName$/;
const UNREAD_CALLS = /^(sql|asked|query|matchMedia|closest|querySelector(All)?|test|match|replace|import|log)$/;

export type Text = { file: string; line: number; text: string };

/** A text has a space between words, and is neither SQL nor code. */
const isText = (text: string) =>
  /[a-z’'][,.:;?!”]? +[“(…A-Za-z0-9]/.test(text) && !/^\s*(select|with|insert|update|delete|[a-z-]+:) /i.test(text);

export function textsOf({ file, text: source }: Source): Text[] {
  const found: Text[] = [];
  const unread: [number, number][] = [];
  const take = (node: { start: number; end: number }, text: string) => {
    const said = text.replaceAll(/\s+/g, " ").trim();
    if (!isText(said) || unread.some(([from, to]) => node.start >= from && node.end <= to)) return;
    found.push({ file, line: source.slice(0, node.start).split("\n").length, text: said });
  };
  const skip = ({ start, end }: ESTree.Node) => void unread.push([start, end]);
  new Visitor({
    ImportDeclaration: skip,
    TSTypeAnnotation: skip,
    TSTypeAliasDeclaration: skip,
    JSXAttribute: (node) => {
      if (node.name.type === "JSXIdentifier" && UNREAD_ATTRIBUTES.test(node.name.name)) skip(node);
    },
    TaggedTemplateExpression: skip,
    NewExpression: (node) => {
      if (node.callee.type === "Identifier" && node.callee.name.endsWith("Error")) skip(node);
    },
    CallExpression: ({ callee, arguments: given }) => {
      const name = callee.type === "MemberExpression" ? callee.property : callee;
      if (name.type === "Identifier" && UNREAD_CALLS.test(name.name)) given.forEach(skip);
    },
    JSXText: (node) => take(node, node.value),
    Literal: (node) => {
      if (typeof node.value === "string") take(node, node.value);
    },
    TemplateLiteral: (node) => take(node, node.quasis.map(({ value }) => value.cooked ?? "").join("…")),
  }).visit(parseSync(file, source).program);
  return found;
}

export const texts: Text[] = shipped.flatMap(textsOf);

if (import.meta.filename === path.resolve(process.argv[1] ?? "")) {
  const wanted = path.normalize(process.argv[2] ?? "");
  for (const { file, line, text } of texts)
    if (wanted === "." || file.startsWith(wanted)) process.stdout.write(`${file}:${line}  ${text}\n`);
}
